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

}  // namespace

SharedPoint shared_point(const ConvexPair& pair, const Vec3& d) {
  Vec3 t1, t2;
  tangents(d, t1, t2);
  Polygon a = shadow(pair.a, d, Frame{}, t1, t2);
  Polygon b = shadow(pair.b, -(pair.frame.turn.transpose() * d), pair.frame, t1, t2);
  if (a.size() > b.size()) std::swap(a, b);
  Polygon both = a;
  if (b.size() > 2) {
    for (std::size_t k = 0; k < b.size() && !both.empty(); ++k)
      both = left_of(both, b[k], b[(k + 1) % b.size()]);
  } else if (a.size() == 2 && b.size() == 2) {
    // two edges: where they cross
    const Vec2 e = a[1] - a[0], f = b[1] - b[0];
    const double sine = cross(e, f);
    if (sine == 0.0) return {};
    both = {a[0] + e * (cross(b[0] - a[0], f) / sine)};
  } else {
    return {};
  }
  if (both.empty()) return {};
  Vec2 middle = Vec2::Zero();
  for (const Vec2& p : both) middle += p / static_cast<double>(both.size());
  const Vec3 across = t1 * middle.x() + t2 * middle.y();
  SharedPoint out;
  out.on_a = across + d * d.dot(pair.farthest_a(d));
  out.on_b = across + d * d.dot(pair.farthest_b(d));
  out.found = true;
  return out;
}

}  // namespace repose::check
