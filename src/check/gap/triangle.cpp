#include "check/gap/triangle.h"

#include <algorithm>
#include <array>
#include <limits>

#include <Eigen/Geometry>

namespace repose::check {

namespace {

Vec3 closest_on_segment(const Vec3& p, const Vec3& from, const Vec3& to) {
  const Vec3 d = to - from;
  const double length = d.squaredNorm();
  return length > 0.0 ? Vec3(from + std::clamp(d.dot(p - from) / length, 0.0, 1.0) * d) : from;
}

/// Candidates that are not finite are passed over. Requires: the last one is.
Vec3 nearest_of(const Vec3& p, const std::array<Vec3, 4>& candidates) {
  Vec3 best = candidates.back();
  for (const Vec3& c : candidates)
    if ((c - p).squaredNorm() < (best - p).squaredNorm()) best = c;
  return best;
}

}  // namespace

Vec3 closest_on_triangle(const Vec3& p, const Vec3 t[3]) {
  // by the regions of the corners, the sides and the inside, told apart by barycentric products
  const Vec3 ab = t[1] - t[0], ac = t[2] - t[0], ap = p - t[0];
  const double d1 = ab.dot(ap), d2 = ac.dot(ap);
  if (d1 <= 0.0 && d2 <= 0.0) return t[0];
  const Vec3 bp = p - t[1];
  const double d3 = ab.dot(bp), d4 = ac.dot(bp);
  if (d3 >= 0.0 && d4 <= d3) return t[1];
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) return t[0] + ab * (d1 / (d1 - d3));
  const Vec3 cp = p - t[2];
  const double d5 = ab.dot(cp), d6 = ac.dot(cp);
  if (d6 >= 0.0 && d5 <= d6) return t[2];
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) return t[0] + ac * (d2 / (d2 - d6));
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0)
    return t[1] + (t[2] - t[1]) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)));
  const double all = va + vb + vc;
  const Vec3 foot = t[0] + ab * (vb / all) + ac * (vc / all);
  constexpr double kSliver = 1e-12;  // squared sine of a corner
  if (all > kSliver * ab.squaredNorm() * ac.squaredNorm()) return foot;
  // the products of a sliver are mostly rounding: its sides are looked at as well
  return nearest_of(p, {foot, closest_on_segment(p, t[0], t[1]), closest_on_segment(p, t[1], t[2]),
                        closest_on_segment(p, t[2], t[0])});
}

ClosePoints closest_of_segments(const Vec3& p1, const Vec3& q1, const Vec3& p2, const Vec3& q2) {
  const Vec3 d1 = q1 - p1, d2 = q2 - p2, r = p1 - p2;
  const double a = d1.squaredNorm(), e = d2.squaredNorm(), f = d2.dot(r);
  double s = 0.0, t = 0.0;
  if (a > 0.0 && e > 0.0) {
    const double c = d1.dot(r), b = d1.dot(d2), den = a * e - b * b;
    s = den > 0.0 ? std::clamp((b * f - c * e) / den, 0.0, 1.0) : 0.0;
    t = (b * s + f) / e;
    if (t < 0.0 || t > 1.0) {
      t = std::clamp(t, 0.0, 1.0);
      s = std::clamp((b * t - c) / a, 0.0, 1.0);
    }
  } else if (a > 0.0) {
    s = std::clamp(-d1.dot(r) / a, 0.0, 1.0);
  } else if (e > 0.0) {
    t = std::clamp(f / e, 0.0, 1.0);
  }
  return {p1 + s * d1, p2 + t * d2};
}

namespace {

/// The segment crosses the triangle's inside; `at` says where.
bool pierces(const Vec3& p, const Vec3& q, const Vec3 t[3], Vec3& at) {
  const Vec3 n = (t[1] - t[0]).cross(t[2] - t[0]);
  const double dp = n.dot(p - t[0]), dq = n.dot(q - t[0]);
  if ((dp > 0.0) == (dq > 0.0) || dp == dq) return false;
  at = p + (q - p) * (dp / (dp - dq));
  for (int k = 0; k < 3; ++k)
    if (n.dot((t[(k + 1) % 3] - t[k]).cross(at - t[k])) < 0.0) return false;
  return true;
}

}  // namespace

ClosePoints closest_of_triangles(const Vec3 a[3], const Vec3 b[3]) {
  ClosePoints best{a[0], b[0]};
  double least = std::numeric_limits<double>::infinity();
  const auto keep = [&](const ClosePoints& c) {
    const double d = (c.a - c.b).squaredNorm();
    if (d < least) {
      least = d;
      best = c;
    }
  };
  for (int i = 0; i < 3; ++i) {
    keep({a[i], closest_on_triangle(a[i], b)});
    keep({closest_on_triangle(b[i], a), b[i]});
    for (int j = 0; j < 3; ++j)
      keep(closest_of_segments(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]));
    Vec3 at;
    if (pierces(a[i], a[(i + 1) % 3], b, at) || pierces(b[i], b[(i + 1) % 3], a, at))
      return {at, at};
  }
  return best;
}

}  // namespace repose::check
