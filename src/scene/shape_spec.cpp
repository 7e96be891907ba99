#include "repose/scene/shape_spec.h"

#include <cmath>
#include <numbers>

namespace repose {

namespace {

constexpr double kDegree = std::numbers::pi / 180.0;

/// Exact for multiples of 90 degrees, so that a body turned by a right angle stands straight.
Quat turn(const Vec3& axis, double degrees) {
  const double quarter = std::remainder(degrees, 720.0) / 90.0;
  if (quarter == std::nearbyint(quarter)) {
    // half angles in units of 45 degrees: cosine and sine from a table
    constexpr double kHalf = std::numbers::sqrt2 / 2.0;
    constexpr double kCosines[8] = {1.0, kHalf, 0.0, -kHalf, -1.0, -kHalf, 0.0, kHalf};
    const auto index = static_cast<unsigned>(static_cast<int>(quarter) + 8) % 8U;
    const double sine = kCosines[(index + 6U) % 8U];
    return Quat(kCosines[index], sine * axis.x(), sine * axis.y(), sine * axis.z());
  }
  const double half = 0.5 * degrees * kDegree;
  const double sine = std::sin(half);
  return Quat(std::cos(half), sine * axis.x(), sine * axis.y(), sine * axis.z());
}

}  // namespace

Pose Placement::pose() const {
  Pose out;
  out.position = position;
  if (orientation_wxyz) {
    const auto& q = *orientation_wxyz;
    out.rotation = Quat(q[0], q[1], q[2], q[3]).normalized();
  } else if (axis_angle_deg) {
    const auto& a = *axis_angle_deg;
    out.rotation = turn(Vec3(a[0], a[1], a[2]).stableNormalized(), a[3]).normalized();
  } else if (roll_pitch_yaw_deg) {
    const auto& r = *roll_pitch_yaw_deg;
    out.rotation =
        (turn(Vec3::UnitZ(), r[2]) * turn(Vec3::UnitY(), r[1]) * turn(Vec3::UnitX(), r[0]))
            .normalized();
  }
  return out;
}

}  // namespace repose
