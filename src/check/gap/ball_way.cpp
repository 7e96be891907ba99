#include "check/gap/ball_way.h"

#include <algorithm>

namespace repose::check {

namespace {

IVec3 difference(const Vec3& a, const Vec3& b, double error) {
  IVec3 out;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    out[k] = Interval(b[i]) - Interval(a[i]) + Interval(-error, error);
  }
  return out;
}

IVec3 minus(const IVec3& a, const IVec3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

Interval product(const IVec3& a, const IVec3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

Interval length(const IVec3& a) {
  return sqrt(square(a[0]) + square(a[1]) + square(a[2]));
}

IVec3 cross(const IVec3& a, const IVec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

}  // namespace

Interval least_distance(const Vec3& from_a, const Vec3& to_a, const Vec3& from_b, const Vec3& to_b,
                        double error) {
  const IVec3 x = difference(from_a, from_b, error), y = difference(to_a, to_b, error);
  const IVec3 d = minus(y, x);
  const Interval at_first = length(x), at_last = length(y);
  // going apart from the first, or coming near until the last
  if (product(x, d).lo >= 0.0) return at_first;
  if (product(y, d).hi <= 0.0) return at_last;
  // in between: no nearer than the line comes, nor than the way from both ends allows; no farther
  // than the point found in doubles
  const Interval way = length(d);
  const Interval line = length(cross(x, d)) / way;
  const Interval ends = Interval(0.5) * (at_first + at_last - way);
  const Vec3 x0 = from_b - from_a, d0 = (to_b - to_a) - x0;
  const double t = std::clamp(-x0.dot(d0) / d0.squaredNorm(), 0.0, 1.0);
  IVec3 between;
  for (std::size_t k = 0; k < 3; ++k) between[k] = x[k] + Interval(t) * d[k];
  double upper = std::min(at_first.hi, at_last.hi);
  if (t >= 0.0) upper = std::min(upper, length(between).hi);  // not a NaN
  return {std::min(upper, std::max({0.0, line.lo, ends.lo})), upper};
}

}  // namespace repose::check
