#include "check/gap/plane_gap.h"

#include <algorithm>
#include <cmath>

#include "check/exact/exact_plane.h"
#include "check/exact/rounding.h"
#include "check/gap/bracket.h"
#include "check/gap/plane_body.h"
#include "check/gap/surface_gap.h"

namespace repose::check {

namespace {

constexpr double kLiftGrowth = 8.0;
constexpr double kLargestLift = 0.25;  // of size

struct PlaneCase {
  PlaneBody a, b;
  double slack, size, width;
  double largest;  // the larger body's size
};

/// A point and how deep it lies in the other body (positive: inside).
struct Deep {
  double depth = -std::numeric_limits<double>::infinity();
  Vec2 where = Vec2::Zero();
};

/// The deepest in `in` of `of`'s corners, disc centres and those points of its discs that lie
/// farthest from a side or nearest to a disc's centre.
Deep deepest(const PlaneBody& of, const PlaneBody& in) {
  Deep out;
  const auto test = [&](const Vec2& p) {
    const double depth = -depth_in(in, p);
    if (depth > out.depth) out = {depth, p};
  };
  for (const auto& s : of.sides) test(s.from);
  for (const auto& r : of.discs) {
    test(r.center);
    for (const auto& s : in.sides) test(r.center - r.radius * s.normal());
    for (const auto& q : in.discs) {
      const Vec2 to = q.center - r.center;
      if (to.norm() > 0.0) test(r.center + std::min(1.0, r.radius / to.norm()) * to);
    }
  }
  return out;
}

bool nested(const PlaneCase& c) {
  const auto any_in = [](const PlaneBody& of, const PlaneBody& in) {
    for (const Vec2& p : of.starts)
      if (depth_in(in, p) < 0.0) return true;
    for (const auto& r : of.discs)
      if (depth_in(in, r.center) < 0.0) return true;
    return false;
  };
  return any_in(c.a, c.b) || any_in(c.b, c.a);
}

/// a moved by `lift` along d is clear of b, which proves gap >= -lift.
bool clear_after(const PlaneCase& c, const Vec2& d, double lift) {
  PlaneCase moved = c;
  moved.a.move(lift * d);
  return closest(moved.a, moved.b).distance > 2.0 * c.slack && !nested(moved);
}

/// Ways out: along the normals of sides, one by one and all that are near at once.
std::vector<Vec2> ways_out(const PlaneCase& c, const PlaneClose& touching, double near) {
  std::vector<Vec2> out{-touching.normal_a_to_b};
  std::vector<Vec3> all;
  const auto add = [&](const Vec2& d) {
    all.push_back(Vec3(d.x(), d.y(), 0.0));
    out.push_back(d);
  };
  for (const auto& s : c.b.sides)
    for (const auto& t : c.a.sides)
      if ((closest_on_side(s, t.from) - t.from).norm() <= near) add(s.normal());
  for (const auto& s : c.a.sides)
    for (const auto& t : c.b.sides)
      if ((closest_on_side(s, t.from) - t.from).norm() <= near) add(-s.normal());
  for (const auto& r : c.a.discs)
    for (const auto& s : c.b.sides)
      if ((closest_on_side(s, r.center) - r.center).norm() <= r.radius + near) add(s.normal());
  for (const auto& r : c.b.discs)
    for (const auto& s : c.a.sides)
      if ((closest_on_side(s, r.center) - r.center).norm() <= r.radius + near) add(-s.normal());
  const Vec3 together = escape_direction(all);
  if (together.norm() > 0.0) out.insert(out.begin(), Vec2(together.head<2>()));
  return out;
}

/// The deeper of the deepest corners of both and of the points given.
Deep deepest(const PlaneCase& c, const std::vector<Vec3>& points) {
  const Deep of_a = deepest(c.a, c.b), of_b = deepest(c.b, c.a);
  Deep most = of_a.depth >= of_b.depth ? of_a : of_b;
  for (const Vec3& p : points) {
    // a point of one's sides: how deep it lies in the other
    const Vec2 at(p.head<2>());
    const double depth = std::max(-depth_in(c.a, at), -depth_in(c.b, at));
    if (depth > most.depth) most = {depth, at};
  }
  if (most.depth > c.slack) return most;
  // bodies that lie on each other side by side: points a little within their sides
  for (const auto& [of, in] : {std::pair(&c.a, &c.b), std::pair(&c.b, &c.a)})
    for (const auto& s : of->sides)
      for (const double part : {0.5, 0.1, 0.01}) {
        const Vec2 p = 0.5 * (s.from + s.to) - part * (s.to - s.from).norm() * s.normal();
        const double depth = depth_in(*of, p) < -c.slack ? -depth_in(*in, p) : most.depth;
        if (depth > most.depth) most = {depth, p};
      }
  return most;
}

/// Of discs beside each other, each with its centre outside the other body: no point of both lies
/// deeper in either than the disc's radius less the centre's distance, for the way from such a
/// point to the centre leaves the other body. Nothing is lifted, so it holds of discs wedged on all
/// sides.
double least_of_discs(const PlaneBody& discs, const PlaneBody& other) {
  constexpr double kNothing = -std::numeric_limits<double>::infinity();
  if (!discs.sides.empty()) return kNothing;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < discs.discs.size(); ++i) {
    const auto& r = discs.discs[i];
    for (std::size_t j = 0; j < i; ++j) {
      const auto& q = discs.discs[j];
      if ((r.center - q.center).norm() < (r.radius + q.radius) * (1.0 + kPlaneError))
        return kNothing;
    }
    const double away = depth_in(other, r.center);
    if (away < kPlaneError * other.reach) return kNothing;
    least = std::min(least, away - r.radius);
  }
  return least;
}

/// The exact answer on top of what rounding leaves open.
void settle_sign(const ExactMeeting& meeting, GapBracket& g) {
  using Kind = ExactMeeting::Kind;
  if (meeting.kind == Kind::apart || meeting.kind == Kind::touching)
    g.lower = std::max(g.lower, 0.0);
  if (meeting.kind == Kind::overlap || meeting.kind == Kind::touching)
    g.upper = std::min(g.upper, 0.0);
}

void judge_touching(const PlaneCase& c, const PlaneClose& touching, const ExactMeeting& meeting,
                    GapBracket& g) {
  const Deep most = deepest(c, meeting.inside);
  const double depth = most.depth - c.slack;
  if (depth > 0.0 && -depth < g.upper) {
    g.upper = -depth;
    g.point_a = g.point_b = Vec3(most.where.x(), most.where.y(), 0.0);
  }
  // no point of a body lies deeper in it
  g.lower = std::max(
      {-c.largest, least_of_discs(c.a, c.b) - c.slack, least_of_discs(c.b, c.a) - c.slack});
  if (g.upper - g.lower <= c.width + 2.0 * c.slack) return;
  const double least = std::max(0.5 * c.width, 8.0 * c.slack);
  const double near = std::max(c.width, 2.0 * std::max(depth, 0.0));
  const std::vector<Vec2> ways = ways_out(c, touching, near);
  for (double lift = least; lift <= kLargestLift * c.size; lift *= kLiftGrowth)
    for (const Vec2& d : ways)
      if (clear_after(c, d, lift)) {
        g.lower = std::max(g.lower, -lift - c.slack);
        return;
      }
}

}  // namespace

GapBracket plane_gap(const PlacedBody& a, const PlacedBody& b, const GapSettings& settings) {
  // seen from near by, so that nothing is lost where the two are far from the world's origin
  const Vec3 origin = bounding_ball_world(a.size() <= b.size() ? a : b).center;
  PlaneCase c{PlaneBody(a, origin),        PlaneBody(b, origin), 0.0, pair_size(a, b), 0.0,
              std::max(a.size(), b.size())};
  c.width = settings.width * c.size;
  c.slack = kPlaneError * (c.a.reach + c.b.reach) + c.a.error + c.b.error;
  GapBracket g;
  if (!c.a.flat || !c.b.flat) {
    g.status = GapStatus::unjudged;
    return g;
  }
  const PlaneClose near = closest(c.a, c.b);
  g.tests = static_cast<long>(c.a.sides.size() * c.b.sides.size()) + 1;
  g.point_a = Vec3(near.a.x(), near.a.y(), 0.0);
  g.point_b = Vec3(near.b.x(), near.b.y(), 0.0);
  g.normal_a_to_b = Vec3(near.normal_a_to_b.x(), near.normal_a_to_b.y(), 0.0);
  g.upper = near.distance + c.slack;
  g.lower = near.distance - c.slack;
  if (g.lower <= 0.0 || nested(c)) {
    const ExactMeeting meeting = exact_plane_meeting(a, b, origin);
    judge_touching(c, near, meeting, g);
    settle_sign(meeting, g);
  }
  g.status = status_of(g, c.width, settings.enough * c.size, c.width + 2.0 * c.slack);
  g.point_a += origin;
  g.point_b += origin;
  return g;
}

std::vector<ContactPoint> plane_contacts(const PlacedBody& a, const PlacedBody& b, double touch) {
  const PlaneBody pa(a), pb(b);
  std::vector<ContactPoint> out;
  if (!pa.flat || !pb.flat) return out;
  const auto add = [&](const Vec2& p, const Vec2& n, double gap, double ka, double kb) {
    ContactPoint c;
    c.point = Vec3(p.x(), p.y(), 0.0);
    c.normal_a_to_b = Vec3(n.x(), n.y(), 0.0);
    c.gap = gap;
    c.friction = std::min(a.friction, b.friction);
    const Vec3 t(-n.y(), n.x(), 0.0);
    c.curvature_a = ka * t * t.transpose();
    c.curvature_b = kb * t * t.transpose();
    out.push_back(c);
  };
  const double sharp = 1.0 / touch;
  // corners of one on sides of the other, kept where both neighbours stay in front of the side
  const auto corners = [&](const PlaneBody& of, const PlaneBody& on, bool of_a) {
    constexpr double kBehind = 1e-6;  // sine
    for (std::size_t i = 0; i < of.sides.size(); ++i) {
      const Vec2 p = of.sides[i].from;
      for (const auto& s : on.sides) {
        const Vec2 q = closest_on_side(s, p), n = s.normal();
        if ((p - q).norm() > touch) continue;
        const Vec2 after = (of.sides[i].to - p).normalized();
        Vec2 before = after;
        for (const auto& t : of.sides)
          if (t.to == p) before = (t.from - p).normalized();
        if (n.dot(after) < -kBehind || n.dot(before) < -kBehind) continue;
        const double gap = n.dot(p - q);
        add(q, of_a ? Vec2(-n) : n, gap, of_a ? sharp : 0.0, of_a ? 0.0 : sharp);
      }
    }
  };
  corners(pa, pb, true);
  corners(pb, pa, false);
  const auto discs = [&](const PlaneBody& of, const PlaneBody& on, bool of_a) {
    for (const auto& r : of.discs)
      for (const auto& s : on.sides) {
        const Vec2 q = closest_on_side(s, r.center);
        const double d = (q - r.center).norm();
        if (d - r.radius > touch || !(d > 0.0)) continue;
        const Vec2 n = (q - r.center) / d;
        const double k = 1.0 / r.radius;
        add(q, of_a ? n : Vec2(-n), d - r.radius, of_a ? k : 0.0, of_a ? 0.0 : k);
      }
  };
  discs(pa, pb, true);
  discs(pb, pa, false);
  for (const auto& r : pa.discs)
    for (const auto& q : pb.discs) {
      const Vec2 between = q.center - r.center;
      const double d = between.norm();
      if (d - r.radius - q.radius > touch || !(d > 0.0)) continue;
      add(r.center + between * (r.radius / d), between / d, d - r.radius - q.radius, 1.0 / r.radius,
          1.0 / q.radius);
    }
  return out;
}

}  // namespace repose::check
