// Points placed by outward rounding, against long double.
#include "repose/prove/placed.h"

#include <gtest/gtest.h>

#include "math/integers.h"

namespace repose::prove {
namespace {

using Long = long double;

/// Where the pose puts p, the quaternion normalised, in long double.
std::array<Long, 3> truth(const Pose& pose, const Vec3& p) {
  const Long w = pose.rotation.w(), x = pose.rotation.x(), y = pose.rotation.y(),
             z = pose.rotation.z();
  const Long n = w * w + x * x + y * y + z * z;
  // p + 2 q x (q x p + w p) / n with q the vector part
  const auto cross = [](const std::array<Long, 3>& a, const std::array<Long, 3>& b) {
    return std::array<Long, 3>{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                               a[0] * b[1] - a[1] * b[0]};
  };
  const std::array<Long, 3> q{x, y, z}, at{p.x(), p.y(), p.z()};
  std::array<Long, 3> inner = cross(q, at);
  for (std::size_t k = 0; k < 3; ++k) inner[k] += w * at[k];
  const std::array<Long, 3> outer = cross(q, inner);
  std::array<Long, 3> out{};
  for (std::size_t k = 0; k < 3; ++k)
    out[k] = at[k] + 2 * outer[k] / n + Long(pose.position[static_cast<Eigen::Index>(k)]);
  return out;
}

TEST(Placed, points_are_within_their_error_of_the_truth) {
  Random random(31);
  for (const double far : {1e-6, 1.0, 1e4, 1e8})
    for (const double shift : {0.0, 1.0, 1e8})
      for (int k = 0; k < 50; ++k) {
        Pose pose{shift * random_direction(random), random_rotation(random)};
        pose.rotation.coeffs() *= 0.5 + random.unit();
        const Vec3 p = far * random_direction(random);
        // the body's own place may cancel its points'
        if (k % 2 == 0) pose.position -= pose.rotation.normalized() * p;
        const Placed placed = Placing(pose) * p;
        const auto t = truth(pose, p);
        const double size = far + pose.position.norm();
        Long off = 0;
        for (std::size_t i = 0; i < 3; ++i) {
          const Long d = Long(placed.at[static_cast<Eigen::Index>(i)]) - t[i];
          off += d * d;
        }
        // long double itself is off by a few of its own units
        EXPECT_LE(std::sqrt(off), Long(placed.error) + 64 * 0x1p-63L * Long(size));
        EXPECT_LT(placed.error, 64 * 0x1p-52 * size + 1e-130);
      }
}

/// Coordinate k of where the pose puts p, seen from o, by whole numbers of any size.
Long whole_truth(const Pose& pose, const Vec3& p, const Vec3& o, int k) {
  const Integer w(pose.rotation.w());
  const Integer v[3] = {Integer(pose.rotation.x()), Integer(pose.rotation.y()),
                        Integer(pose.rotation.z())};
  const Integer at[3] = {Integer(p.x()), Integer(p.y()), Integer(p.z())};
  const Integer vv = v[0] * v[0] + v[1] * v[1] + v[2] * v[2],
                vp = v[0] * at[0] + v[1] * at[1] + v[2] * at[2];
  const int i = (k + 1) % 3, j = (k + 2) % 3;
  // (w^2 - v.v) p + 2 v (v.p) + 2 w (v x p), over w^2 + v.v
  const Integer across = w * (v[i] * at[j] - v[j] * at[i]), along = v[k] * vp;
  const Integer turned = (w * w - vv) * at[k] + along + along + across + across;
  const Integer shift = (w * w + vv) * (Integer(pose.position[k]) - Integer(o[k]));
  return ratio(turned + shift, (w * w + vv) * Integer(1.0));
}

TEST(Placed, what_cancels_is_not_lost) {
  Random random(32);
  for (const double far : {1.0, 1e5, 1e10})
    for (int n = 0; n < 50; ++n) {
      const Vec3 p = far * random_direction(random), near = random_direction(random);
      const Vec3 origin = n % 2 == 0 ? Vec3(Vec3::Zero()) : Vec3(far * random_direction(random));
      Pose pose{Vec3::Zero(), random_rotation(random)};
      pose.position = origin + near - pose.rotation.normalized() * p;
      const Placed placed = Placing(pose, origin) * p;
      Long off = 0;
      for (int k = 0; k < 3; ++k) {
        const Long d = Long(placed.at[k]) - whole_truth(pose, p, origin, k);
        off += d * d;
      }
      EXPECT_LE(std::sqrt(off), Long(placed.error)) << far;
      EXPECT_LE(placed.error, 64 * 0x1p-52 * placed.at.norm()) << far;
    }
}

TEST(Placed, a_pose_of_no_numbers_places_nothing) {
  Pose pose;
  pose.position.x() = std::numeric_limits<double>::quiet_NaN();
  const Placed placed = Placing(pose) * Vec3(1, 2, 3);
  EXPECT_FALSE(placed.error < 1e300);
  pose = {};
  pose.rotation.coeffs().setZero();
  EXPECT_FALSE((Placing(pose) * Vec3(1, 2, 3)).error < 1e300);
}

}  // namespace
}  // namespace repose::prove
