#include "check/gap/contact_polygon.h"

#include <algorithm>

#include <Eigen/Geometry>

#include "check/gap/polygon.h"
#include "check/statics/wrenches.h"

namespace repose::check {

namespace {

/// The outermost points of a body along d (body frame) on the plane of t1 and t2,
/// counter-clockwise where they span an area.
Polygon shadow(const ConvexBody& body, const Vec3& d, const Frame& frame, const Vec3& t1,
               const Vec3& t2) {
  Polygon out;
  for (const Vec3& p : body.outermost(d)) {
    const Vec3 at = frame * p;
    out.emplace_back(t1.dot(at), t2.dot(at));
  }
  if (area(out) < 0.0) std::reverse(out.begin(), out.end());
  return out;
}

/// The middle of what both shadows hold, seen along d; a guess that the depths found there prove.
struct Middle {
  Vec3 t1, t2;
  Vec2 at = Vec2::Zero();
  bool found = false;
};

Middle middle_of_shadows(const ConvexBody& body_a, const ConvexBody& body_b, const Frame& frame,
                         const Vec3& d) {
  Middle out;
  tangents(d, out.t1, out.t2);
  Polygon a = shadow(body_a, d, Frame{}, out.t1, out.t2);
  Polygon b = shadow(body_b, -(frame.turn.transpose() * d), frame, out.t1, out.t2);
  if (a.size() > b.size()) std::swap(a, b);
  Polygon both;
  if (b.size() > 2) {
    both = common_part(a, b);
  } else if (a.size() == 2 && b.size() == 2) {
    // two edges: where they cross
    const Vec2 e = a[1] - a[0], f = b[1] - b[0];
    const double sine = wedge(e, f);
    if (sine == 0.0) return out;
    both = {a[0] + e * (wedge(b[0] - a[0], f) / sine)};
  } else {
    return out;
  }
  for (const Vec2& p : both) out.at += p / static_cast<double>(both.size());
  out.found = !both.empty();
  return out;
}

}  // namespace

template <class Real>
SharedPointOf<Real> shared_point(const ConvexPairOf<Real>& pair, const VecOf<Real>& d) {
  const Frame frame{pair.frame.turn.template cast<double>(),
                    pair.frame.shift.template cast<double>()};
  const Middle middle = middle_of_shadows(pair.a, pair.b, frame, d.template cast<double>());
  SharedPointOf<Real> out;
  if (!middle.found) return out;
  const VecOf<Real> across =
      (middle.t1 * middle.at.x() + middle.t2 * middle.at.y()).template cast<Real>();
  out.on_a = across + d * d.dot(pair.farthest_a(d));
  out.on_b = across + d * d.dot(pair.farthest_b(d));
  out.found = true;
  return out;
}
template SharedPointOf<double> shared_point(const ConvexPairOf<double>&, const VecOf<double>&);
template SharedPointOf<long double> shared_point(const ConvexPairOf<long double>&,
                                                 const VecOf<long double>&);

}  // namespace repose::check
