#include "check/gap/contact_polygon.h"

#include <algorithm>

#include <Eigen/Geometry>

#include "check/statics/wrenches.h"

namespace repose::check {

namespace {

using Polygon = std::vector<Vec2>;

double cross(const Vec2& a, const Vec2& b) {
  return a.x() * b.y() - a.y() * b.x();
}

/// The part of a convex polygon (or segment, or point) to the left of the line from p to q.
Polygon left_of(const Polygon& in, const Vec2& p, const Vec2& q) {
  Polygon out;
  const auto side = [&](const Vec2& x) { return cross(q - p, x - p); };
  for (std::size_t k = 0; k < in.size(); ++k) {
    const Vec2 &x = in[k], &y = in[(k + 1) % in.size()];
    const double sx = side(x), sy = side(y);
    if (sx >= 0.0) out.push_back(x);
    if ((sx > 0.0 && sy < 0.0) || (sx < 0.0 && sy > 0.0))
      out.push_back(x + (y - x) * (sx / (sx - sy)));
  }
  return out;
}

double area(const Polygon& p) {
  double sum = 0.0;
  for (std::size_t k = 0; k < p.size(); ++k) sum += cross(p[k], p[(k + 1) % p.size()]);
  return 0.5 * sum;
}

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
  Polygon both = a;
  if (b.size() > 2) {
    for (std::size_t k = 0; k < b.size() && !both.empty(); ++k)
      both = left_of(both, b[k], b[(k + 1) % b.size()]);
  } else if (a.size() == 2 && b.size() == 2) {
    // two edges: where they cross
    const Vec2 e = a[1] - a[0], f = b[1] - b[0];
    const double sine = cross(e, f);
    if (sine == 0.0) return out;
    both = {a[0] + e * (cross(b[0] - a[0], f) / sine)};
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
