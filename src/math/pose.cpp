#include "repose/math/pose.h"

#include <cmath>

namespace repose {

Quat rotation_between(const Vec3& from, const Vec3& to) {
  return Quat::FromTwoVectors(from, to);
}

Quat rotation_from_vector(const Vec3& w) {
  const double angle = w.norm();
  // sin(x)/x by its series where the quotient would lose digits
  constexpr double kSeriesBelow = 1e-4;
  const double half = 0.5 * angle;
  const double sinc =
      angle < kSeriesBelow ? 0.5 * (1.0 - half * half / 6.0) : std::sin(half) / angle;
  Quat q(std::cos(half), sinc * w.x(), sinc * w.y(), sinc * w.z());
  return q.normalized();
}

Vec3 vector_from_rotation(const Quat& q) {
  const double sign = q.w() < 0.0 ? -1.0 : 1.0;
  const Vec3 axis = sign * q.vec();
  const double sine = axis.norm();
  if (sine == 0.0) return Vec3::Zero();
  const double angle = 2.0 * std::atan2(sine, sign * q.w());
  return axis * (angle / sine);
}

Quat random_rotation(Random& random) {
  // four normals, scaled to the unit sphere of quaternions
  for (;;) {
    Quat q(random.normal(), random.normal(), random.normal(), random.normal());
    if (q.norm() > 0.1) return q.normalized();
  }
}

Vec3 random_direction(Random& random) {
  for (;;) {
    const Vec3 d(random.normal(), random.normal(), random.normal());
    if (d.norm() > 0.1) return d.normalized();
  }
}

}  // namespace repose
