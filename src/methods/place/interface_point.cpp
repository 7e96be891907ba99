#include "interface_point.h"

#include <cmath>

#include "repose/math/dense.h"

namespace repose::place {
namespace {

/// Differences for the systems' derivatives, over a parameter's span or the body's size: their
/// error delays the last digits by one iteration and costs no accuracy.
constexpr double kDifference = 1e-6;
/// Beyond its domain a patch goes on by Taylor's formula, no farther than this share of its span.
constexpr double kBeyond = 0.25;
/// A parameter within this share of its span of the domain's end is still on it.
constexpr double kOnDomain = 1e-9;
/// Steps of descent towards the deepest pair, each this share of the body's size.
constexpr int kDescents = 3;
constexpr double kDescent = 0.02;

/// A feature's point and what its kind knows of direction, world frame.
struct Spot {
  Vec3 at = Vec3::Zero();
  Vec3 normal = Vec3::Zero();   // faces
  Vec3 tangent = Vec3::Zero();  // edges
  Vec3 outward = Vec3::Zero();  // edges: between the normals of their faces
  double radius = 0.0;
  bool face = false, edge = false;
};

/// The jet of a patch, carried on beyond its domain.
PointJet extended(const Feature& f, const Vec2& uv) {
  const Vec2 in = into_domain(f, uv);
  PointJet jet = point_jet(f, in);
  Vec2 d = uv - in;
  if (f.wrap_u) d.x() = 0.0;
  if (f.wrap_v) d.y() = 0.0;
  if (d.squaredNorm() == 0.0) return jet;
  jet.s += jet.si[0] * d.x() + jet.si[1] * d.y() + 0.5 * jet.sij[0] * d.x() * d.x() +
           jet.sij[1] * d.x() * d.y() + 0.5 * jet.sij[2] * d.y() * d.y();
  jet.si[0] += jet.sij[0] * d.x() + jet.sij[1] * d.y();
  jet.si[1] += jet.sij[1] * d.x() + jet.sij[2] * d.y();
  return jet;
}

Spot spot_of(const Posed& body, int index, const Vec2& uv) {
  const Feature& f = body.surface->feature(index);
  Spot out;
  out.radius = f.radius;
  if (f.kind == FeatureKind::half_space) {
    out.face = true;
    out.at = body.to_world({uv.x(), uv.y(), 0.0});
    out.normal = body.rotation.col(2);
  } else if (f.kind == FeatureKind::triangle) {
    out.face = true;
    out.at = body.to_world(f.corners[0] + uv.x() * (f.corners[1] - f.corners[0]) +
                           uv.y() * (f.corners[2] - f.corners[0]));
    out.normal = body.rotation * f.normal;
  } else if (f.kind == FeatureKind::patch) {
    out.face = true;
    const PointJet jet = extended(f, uv);
    out.at = body.to_world(jet.s);
    const Vec3 at_domain = normal_at(f, into_domain(f, uv));
    Vec3 n = jet.si[0].cross(jet.si[1]);
    n = n.norm() > 0.0 ? Vec3(n.normalized()) : at_domain;
    out.normal = body.rotation * (n.dot(at_domain) < 0.0 ? Vec3(-n) : n);
  } else {
    const PointJet jet = point_jet(f, into_domain(f, uv));
    out.at = body.to_world(jet.s);
    out.edge = f.kind == FeatureKind::curve;
    if (out.edge) {
      out.tangent = (body.rotation * jet.si[0]).normalized();
      const double share = (into_domain(f, uv).x() - f.domain.u0) / (f.domain.u1 - f.domain.u0);
      const auto k = static_cast<std::size_t>(
          std::lround(share * static_cast<double>(f.normals_left.size() - 1)));
      out.outward = (body.rotation * (f.normals_left[k] + f.normals_right[k])).normalized();
    }
  }
  return out;
}

/// Direction from b to a in which the two are apart.
Vec3 direction(const Spot& a, const Spot& b) {
  if (b.face) return b.normal;
  if (a.face) return -a.normal;
  if (a.edge && b.edge) {
    Vec3 n = a.tangent.cross(b.tangent);
    if (n.norm() == 0.0) return b.outward;
    n.normalize();
    return n.dot(b.outward) < 0.0 ? Vec3(-n) : n;
  }
  const Vec3 apart = a.at - b.at;
  if (apart.norm() > 0.0 && (a.radius > 0.0 || b.radius > 0.0)) return apart.normalized();
  return b.edge ? b.outward : Vec3::UnitZ();
}

PairView view(const Spot& a, const Spot& b) {
  PairView out;
  out.normal = direction(a, b);
  out.point = a.at - a.radius * out.normal;
  out.foot = b.at + b.radius * out.normal;
  out.separation = (out.point - out.foot).dot(out.normal);
  return out;
}

enum class System { intersection, extremal, contact };

/// The equations of one pair; lengths over the body's size.
void residual(const Spot& a, const Spot& b, System system, double size, std::vector<double>& out) {
  const PairView v = view(a, b);
  const Vec3 apart = (v.point - v.foot) / size;
  const auto put = [&out](const Vec3& x) { out.insert(out.end(), {x.x(), x.y(), x.z()}); };
  // a ball against a ball, an edge or a corner has the direction of its centre
  const bool across = a.face || b.face || (a.edge && b.edge);
  if (system == System::extremal) {
    if (across) put(apart.cross(v.normal));
  } else if (across) {
    put(apart);
  } else {
    out.push_back(v.separation / size);
  }
  if (system == System::intersection) return;
  if (a.face && b.face) put(a.normal + b.normal);
  if (a.edge && b.face) out.push_back(a.tangent.dot(b.normal));
  if (a.face && b.edge) out.push_back(b.tangent.dot(a.normal));
  // an edge against a ball or a corner
  if (a.edge && !b.face && !b.edge) out.push_back(a.tangent.dot(a.at - b.at) / size);
  if (b.edge && !a.face && !a.edge) out.push_back(b.tangent.dot(a.at - b.at) / size);
}

int freedoms(const Feature& f) {
  if (f.kind == FeatureKind::half_space || f.kind == FeatureKind::triangle) return 2;
  return f.freedoms();
}

/// Metres for a unit of each parameter, so that all unknowns are lengths over the size.
Vec2 scales(const Posed& body, int index, const Vec2& uv) {
  const Feature& f = body.surface->feature(index);
  if (f.kind == FeatureKind::half_space) return {1.0, 1.0};
  if (f.kind == FeatureKind::triangle)
    return {(f.corners[1] - f.corners[0]).norm(), (f.corners[2] - f.corners[0]).norm()};
  const PointJet jet = point_jet(f, into_domain(f, uv));
  const PointJet middle = point_jet(f, f.domain.center());
  Vec2 out;
  for (Eigen::Index k = 0; k < 2; ++k) {
    const auto i = static_cast<std::size_t>(k);
    out[k] = std::max(jet.si[i].norm(), kDifference * middle.si[i].norm());
    if (!(out[k] > 0.0)) out[k] = 1.0;
  }
  return out;
}

/// Moves a point's parameters by lengths over the size; false: too far off the domain.
bool shift(const Posed& body, int index, const Vec2& scale, const Vec2& by, double size, Vec2& uv) {
  const Feature& f = body.surface->feature(index);
  if (freedoms(f) == 0) return true;
  uv += Vec2(by.x() * size / scale.x(), by.y() * size / scale.y());
  if (f.kind == FeatureKind::half_space || f.kind == FeatureKind::triangle) return true;
  const Vec2 in = into_domain(f, uv);
  if (f.wrap_u) uv.x() = in.x();
  if (f.wrap_v) uv.y() = in.y();
  return std::fabs(uv.x() - in.x()) <= kBeyond * (f.domain.u1 - f.domain.u0) &&
         std::fabs(uv.y() - in.y()) <= kBeyond * (f.domain.v1 - f.domain.v0);
}

/// The unknowns of one or many pairs, and Newton's method on their equations (equation 1) with a
/// truncated singular value decomposition.
class Iteration {
 public:
  Iteration(Posed& a, const Vec3& center_body, std::span<const Posed> bodies,
            const std::array<bool, 6>& held, bool body_moves, const NewtonSettings& s,
            std::span<InterfacePoint> points, System first)
      : a_(a),
        center_body_(center_body),
        bodies_(bodies),
        held_(held),
        body_moves_(body_moves),
        s_(s),
        points_(points),
        system_(first) {}

  Newton run() {
    Eigen::VectorXd f = equations();
    double norm = f.size() > 0 ? f.lpNorm<Eigen::Infinity>() : 0.0;
    for (int k = 0; k < s_.most && norm > s_.residual && unknowns() > 0; ++k) {
      const Eigen::MatrixXd j = jacobian(f);
      if (!move(least_squares(j, Eigen::VectorXd(-f), s_.rank))) return Newton::failed;
      f = equations();
      const double next = f.lpNorm<Eigen::Infinity>();
      // one iteration may go wrong at first, later ones may not
      if (!std::isfinite(next) || (k > 0 && next > norm)) return Newton::failed;
      norm = next;
    }
    return norm <= s_.residual ? Newton::converged : Newton::failed;
  }

 private:
  const Posed& other(const InterfacePoint& p) const {
    return bodies_.size() == 1 ? bodies_[0] : bodies_[static_cast<std::size_t>(p.body_b)];
  }
  System system_of(const InterfacePoint& p) const {
    return body_moves_ ? (p.contact ? System::contact : System::extremal) : system_;
  }
  std::vector<double> equations_of(const Posed& a, const InterfacePoint& p) const {
    std::vector<double> out;
    residual(spot_of(a, p.feature_a, p.uv_a), spot_of(other(p), p.feature_b, p.uv_b), system_of(p),
             s_.size, out);
    return out;
  }
  Eigen::VectorXd equations() const {
    std::vector<double> all;
    for (const InterfacePoint& p : points_) {
      const auto one = equations_of(a_, p);
      all.insert(all.end(), one.begin(), one.end());
    }
    return Eigen::Map<Eigen::VectorXd>(all.data(), static_cast<Eigen::Index>(all.size()));
  }
  int unknowns() const {
    int n = body_moves_ ? 6 : 0;
    for (const InterfacePoint& p : points_)
      n += freedoms(a_.surface->feature(p.feature_a)) +
           freedoms(other(p).surface->feature(p.feature_b));
    return n;
  }
  Posed nudged(Eigen::Index k, double h) const {
    Vec3 move = Vec3::Zero(), turn = Vec3::Zero();
    (k < 3 ? move[k] : turn[k - 3]) = k < 3 ? h * s_.size : h;
    return displaced(a_, center_body_, move, turn);
  }
  void difference(const Posed& low, const Posed& high, const InterfacePoint& p_low,
                  const InterfacePoint& p_high, Eigen::Index row, Eigen::Index column,
                  Eigen::MatrixXd& j) const {
    const auto l = equations_of(low, p_low), h = equations_of(high, p_high);
    for (std::size_t i = 0; i < l.size(); ++i)
      j(row + static_cast<Eigen::Index>(i), column) = (h[i] - l[i]) / (2.0 * kDifference);
  }
  Eigen::MatrixXd jacobian(const Eigen::VectorXd& f) const {
    Eigen::MatrixXd j = Eigen::MatrixXd::Zero(f.size(), unknowns());
    Eigen::Index row = 0, column = body_moves_ ? 6 : 0;
    for (const InterfacePoint& p : points_) {
      if (body_moves_)
        for (Eigen::Index k = 0; k < 6; ++k)
          if (!held_[static_cast<std::size_t>(k)])
            difference(nudged(k, -kDifference), nudged(k, kDifference), p, p, row, k, j);
      for (const bool on_a : {true, false}) {
        const Posed& body = on_a ? a_ : other(p);
        const int index = on_a ? p.feature_a : p.feature_b;
        const Vec2 scale = scales(body, index, on_a ? p.uv_a : p.uv_b);
        for (Eigen::Index k = 0; k < freedoms(body.surface->feature(index)); ++k) {
          InterfacePoint low = p, high = p;
          (on_a ? low.uv_a : low.uv_b)[k] -= kDifference * s_.size / scale[k];
          (on_a ? high.uv_a : high.uv_b)[k] += kDifference * s_.size / scale[k];
          difference(a_, a_, low, high, row, column++, j);
        }
      }
      row += static_cast<Eigen::Index>(equations_of(a_, p).size());
    }
    return j;
  }
  bool move(const Eigen::VectorXd& x) {
    Eigen::Index column = body_moves_ ? 6 : 0;
    for (InterfacePoint& p : points_)
      for (const bool on_a : {true, false}) {
        const Posed& body = on_a ? a_ : other(p);
        const int index = on_a ? p.feature_a : p.feature_b;
        Vec2& uv = on_a ? p.uv_a : p.uv_b;
        Vec2 by = Vec2::Zero();
        for (Eigen::Index k = 0; k < freedoms(body.surface->feature(index)); ++k)
          by[k] = x[column++];
        if (!shift(body, index, scales(body, index, uv), by, s_.size, uv)) return false;
      }
    if (body_moves_) a_ = displaced(a_, center_body_, s_.size * x.head<3>(), x.segment<3>(3));
    return x.allFinite();
  }

  Posed& a_;
  const Vec3& center_body_;
  std::span<const Posed> bodies_;
  const std::array<bool, 6>& held_;
  bool body_moves_;
  const NewtonSettings& s_;
  std::span<InterfacePoint> points_;
  System system_;
};

Newton iterate_pair(const Posed& a, const Posed& b, const NewtonSettings& s, System system,
                    InterfacePoint& point) {
  Posed still = a;
  InterfacePoint moved = point;
  const Vec3 none = Vec3::Zero();
  const std::array<bool, 6> held{};
  const Newton end = Iteration(still, none, {&b, 1}, held, false, s, {&moved, 1}, system).run();
  if (end == Newton::converged) point = moved;
  return end;
}

}  // namespace

PairView view_of(const Posed& a, const Posed& b, const InterfacePoint& p) {
  return view(spot_of(a, p.feature_a, p.uv_a), spot_of(b, p.feature_b, p.uv_b));
}

Newton onto_intersection(const Posed& a, const Posed& b, const NewtonSettings& s,
                         InterfacePoint& point) {
  return iterate_pair(a, b, s, System::intersection, point);
}

Newton onto_extremal(const Posed& a, const Posed& b, const NewtonSettings& s,
                     InterfacePoint& point) {
  return iterate_pair(a, b, s, System::extremal, point);
}

void towards_deepest(const Posed& a, const Posed& b, const NewtonSettings& s, InterfacePoint& p) {
  for (int step = 0; step < kDescents; ++step) {
    const double here = view_of(a, b, p).separation;
    InterfacePoint next = p;
    for (const bool on_a : {true, false}) {
      const Posed& body = on_a ? a : b;
      const int index = on_a ? p.feature_a : p.feature_b;
      const Vec2 scale = scales(body, index, on_a ? p.uv_a : p.uv_b);
      Vec2 slope = Vec2::Zero();
      for (Eigen::Index k = 0; k < freedoms(body.surface->feature(index)); ++k) {
        InterfacePoint high = p;
        (on_a ? high.uv_a : high.uv_b)[k] += kDifference * s.size / scale[k];
        slope[k] = (view_of(a, b, high).separation - here) / (kDifference * s.size);
      }
      if (slope.norm() > 0.0)
        shift(body, index, scale, -kDescent * slope / std::max(1.0, slope.norm()), s.size,
              on_a ? next.uv_a : next.uv_b);
    }
    if (!(view_of(a, b, next).separation < here)) return;
    p = next;
  }
}

Newton onto_contacts(Posed& a, const Vec3& center_body, std::span<const Posed> bodies,
                     const std::array<bool, 6>& held, const NewtonSettings& s,
                     std::vector<InterfacePoint>& points) {
  return Iteration(a, center_body, bodies, held, true, s, points, System::contact).run();
}

bool off_domain(const Posed& a, const Posed& b, const InterfacePoint& point) {
  for (const bool on_a : {true, false}) {
    const Feature& f = (on_a ? a : b).surface->feature(on_a ? point.feature_a : point.feature_b);
    const Vec2 uv = on_a ? point.uv_a : point.uv_b;
    if (f.kind == FeatureKind::triangle &&
        (uv.minCoeff() < -kOnDomain || uv.sum() > 1.0 + kOnDomain))
      return true;
    if (f.kind != FeatureKind::patch && f.kind != FeatureKind::curve) continue;
    const Vec2 out = (uv - into_domain(f, uv)).cwiseAbs();
    if (!f.wrap_u && out.x() > kOnDomain * (f.domain.u1 - f.domain.u0)) return true;
    if (f.kind == FeatureKind::patch && !f.wrap_v &&
        out.y() > kOnDomain * (f.domain.v1 - f.domain.v0))
      return true;
  }
  return false;
}

Posed displaced(const Posed& a, const Vec3& center_body, const Vec3& move, const Vec3& turn) {
  Posed out = a;
  out.rotation = (rotation_from_vector(turn) * Quat(a.rotation)).normalized().toRotationMatrix();
  out.center += move;
  out.position = out.center - out.rotation * center_body;
  return out;
}

}  // namespace repose::place
