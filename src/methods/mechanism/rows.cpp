#include "rows.h"

namespace repose::mechanism {
namespace {

RowPart part_of(const Vec2& direction, const Vec2& arm, double sign) {
  return {sign * direction.x(), sign * direction.y(), sign * cross(arm, direction)};
}

}  // namespace

Anchor anchor_at(int body, const Vec3& point, const std::vector<PlaneBody>& bodies) {
  if (body < 0) return {-1, point.head<2>()};
  return {body, point.head<2>() - bodies[static_cast<std::size_t>(body)].center_body};
}

PlacedAnchor placed(const Anchor& anchor, const Motion& motion) {
  PlacedAnchor out;
  if (anchor.body < 0) {
    out.at = out.arm = anchor.arm;
    return out;
  }
  const auto i = static_cast<std::size_t>(anchor.body);
  out.arm = motion.turn(i) * anchor.arm;
  out.center = motion.place[i].head<2>();
  out.at = out.center + out.arm;
  out.body_rate = motion.rate[i];
  out.rate = velocity_at(motion.rate[i], out.arm);
  return out;
}

ContactFrame frame_of(const Feature& f, const Motion& motion) {
  const PlacedAnchor p = placed({f.point_body, f.point}, motion);
  const PlacedAnchor s = placed({f.side_body, f.base}, motion);
  ContactFrame out;
  if (f.curved) {
    const Vec2 away = p.at - s.at;
    const double apart = away.norm();
    out.normal = apart > 0.0 ? Vec2(away / apart) : Vec2(Vec2::UnitY());
    out.gap = apart - f.point_radius - f.base_radius;
    out.spin = apart > 0.0 ? cross(out.normal, p.rate - s.rate) / apart : 0.0;
  } else {
    out.normal = motion.turn(static_cast<std::size_t>(f.side_body)) * f.side_normal;
    out.gap = out.normal.dot(p.at - s.at) - f.point_radius;
    out.spin = s.body_rate.z();
  }
  out.point = p.at - f.point_radius * out.normal;
  out.point_rate = p.rate - f.point_radius * out.spin * left_of(out.normal);
  out.slide_rate = velocity_at(p.body_rate, out.point - p.center) -
                   velocity_at(s.body_rate, out.point - s.center);
  return out;
}

Row contact_row(const Feature& f, const ContactFrame& frame, const Vec2& direction,
                const Motion& motion) {
  const Plane3 &p = motion.place[static_cast<std::size_t>(f.point_body)],
               &s = motion.place[static_cast<std::size_t>(f.side_body)];
  const Plane3 &pv = motion.rate[static_cast<std::size_t>(f.point_body)],
               &sv = motion.rate[static_cast<std::size_t>(f.side_body)];
  Row out;
  out.row.kind = RowKind::normal;
  out.row.body_a = f.point_body;
  out.row.body_b = f.side_body;
  out.row.part_a = part_of(direction, frame.point - p.head<2>(), 1.0);
  out.row.part_b = part_of(direction, frame.point - s.head<2>(), -1.0);
  out.value = frame.gap;
  out.rate = direction.dot(frame.slide_rate);
  out.row.b = frame.spin * left_of(direction).dot(frame.slide_rate) +
              direction.dot(pv.z() * left_of(frame.point_rate - pv.head<2>()) -
                            sv.z() * left_of(frame.point_rate - sv.head<2>()));
  return out;
}

Row difference_row(const Anchor& a, const Anchor& b, const Vec2& direction, const Motion& motion) {
  const PlacedAnchor pa = placed(a, motion), pb = placed(b, motion);
  Row out;
  out.row.body_a = a.body;
  out.row.body_b = b.body;
  out.row.part_a = part_of(direction, pa.arm, 1.0);
  out.row.part_b = part_of(direction, pb.arm, -1.0);
  out.value = direction.dot(pa.at - pb.at);
  out.rate = direction.dot(pa.rate - pb.rate);
  const double wa = pa.body_rate.z(), wb = pb.body_rate.z();
  out.row.b = direction.dot(wb * wb * pb.arm - wa * wa * pa.arm);
  return out;
}

Row offset_row(const Anchor& a, const Anchor& b, const Vec2& direction_a, const Motion& motion) {
  const PlacedAnchor pa = placed(a, motion), pb = placed(b, motion);
  const Vec2 d =
      a.body < 0 ? direction_a : motion.turn(static_cast<std::size_t>(a.body)) * direction_a;
  const Vec2 over = pb.rate - velocity_at(pa.body_rate, pb.at - pa.center);
  Row out;
  out.row.body_a = a.body;
  out.row.body_b = b.body;
  out.row.part_a = part_of(d, pb.at - pa.center, -1.0);
  out.row.part_b = part_of(d, pb.arm, 1.0);
  out.value = d.dot(pb.at - pa.at);
  out.rate = d.dot(over);
  const double wa = pa.body_rate.z(), wb = pb.body_rate.z();
  out.row.b = wa * left_of(d).dot(over) +
              d.dot(-wb * wb * pb.arm - wa * left_of(pb.rate - Vec2(pa.body_rate.head<2>())));
  return out;
}

Row distance_row(const Anchor& a, const Anchor& b, double length, const Motion& motion) {
  const PlacedAnchor pa = placed(a, motion), pb = placed(b, motion);
  const Vec2 away = pa.at - pb.at, rate = pa.rate - pb.rate;
  const double apart = away.norm();
  const Vec2 d = apart > 0.0 ? Vec2(away / apart) : Vec2(Vec2::UnitX());
  Row out;
  out.row.body_a = a.body;
  out.row.body_b = b.body;
  out.row.part_a = part_of(d, pa.arm, 1.0);
  out.row.part_b = part_of(d, pb.arm, -1.0);
  out.value = apart - length;
  out.rate = d.dot(rate);
  const double across = cross(d, rate), wa = pa.body_rate.z(), wb = pb.body_rate.z();
  out.row.b = d.dot(wb * wb * pb.arm - wa * wa * pa.arm);
  if (apart > 0.0) out.row.b += across * across / apart;
  return out;
}

Row turn_row(int a, double factor_a, int b, double factor_b, double offset, const Motion& motion) {
  Row out;
  out.row.body_a = a;
  out.row.body_b = b;
  out.row.part_a = {0.0, 0.0, factor_a};
  out.row.part_b = {0.0, 0.0, factor_b};
  out.value = -offset;
  const auto add = [&](int body, double factor) {
    if (body < 0) return;
    out.value += factor * motion.place[static_cast<std::size_t>(body)].z();
    out.rate += factor * motion.rate[static_cast<std::size_t>(body)].z();
  };
  add(a, factor_a);
  add(b, factor_b);
  return out;
}

void flip(Row& row) {
  for (double& x : row.row.part_a) x = -x;
  for (double& x : row.row.part_b) x = -x;
  row.row.b = -row.row.b;
  row.value = -row.value;
  row.rate = -row.rate;
}

}  // namespace repose::mechanism
