#include "repose/prove/around.h"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "repose/base/random.h"

namespace repose::prove {
namespace {

using Long = long double;
using LongVec = Eigen::Matrix<Long, 3, 1>;

Pose random_pose(Random& random, double far) {
  const double length = random.between(0.5, 2.0);  // a quaternion of any length is a rotation
  Quat q = random_rotation(random);
  q.coeffs() *= length;
  return {far * random_direction(random), q};
}

/// Where a point of a body is, in long doubles.
LongVec placed(const Pose& pose, const Vec3& point) {
  const Eigen::Quaternion<Long> q = pose.rotation.cast<Long>().normalized();
  return q * point.cast<Long>() + pose.position.cast<Long>();
}

/// Sizes and distances over many orders of magnitude: what is said to be apart is so in numbers
/// two thousand times finer, and little is lost.
TEST(Around, no_point_is_nearer_than_surroundings_say) {
  Random random(811);
  for (int k = 0; k < 20'000; ++k) {
    const double size = std::pow(10.0, random.between(-9.0, 9.0));
    const double far = size * std::pow(10.0, random.between(0.0, 9.0));
    const Pose pa = random_pose(random, far), pb = random_pose(random, far);
    const Vec3 ca = far * random_direction(random), cb = size * random_direction(random);
    const double ra = size * random.unit(), rb = size * random.unit();
    const Long truth = (placed(pb, cb) - placed(pa, ca)).norm() - Long(ra) - Long(rb);
    const double said = apart(around(pa, ca, ra), around(pb, cb, rb));
    const Long finest = 64 * std::numeric_limits<Long>::epsilon() * Long(far);
    EXPECT_LE(Long(said), truth + finest);
    EXPECT_GE(Long(said), truth - 64 * std::numeric_limits<double>::epsilon() * Long(far));
  }
}

TEST(Around, no_point_is_lower_above_the_ground_than_said) {
  Random random(812);
  for (int k = 0; k < 20'000; ++k) {
    const double size = std::pow(10.0, random.between(-9.0, 9.0));
    const double far = size * std::pow(10.0, random.between(0.0, 9.0));
    const Pose ground = random_pose(random, far), body = random_pose(random, far);
    const Vec3 center = size * random_direction(random);
    const LongVec up = ground.rotation.cast<Long>().normalized() * LongVec(0, 0, 1);
    const Long truth = up.dot(placed(body, center) - ground.position.cast<Long>()) - Long(size);
    const double said = above_ground(around(body, center, size), ground);
    EXPECT_LE(Long(said), truth + 64 * std::numeric_limits<Long>::epsilon() * Long(far));
    EXPECT_GE(Long(said), truth - 64 * std::numeric_limits<double>::epsilon() * Long(far));
  }
}

TEST(Around, holds_every_ball_of_a_set) {
  Random random(813);
  for (int k = 0; k < 300; ++k) {
    const double size = std::pow(10.0, random.between(-6.0, 6.0));
    const Vec3 place = size * std::pow(10.0, random.between(0.0, 6.0)) * random_direction(random);
    std::vector<Vec3> centers;
    std::vector<double> radii;
    for (int i = 0; i < 40; ++i) {
      centers.push_back(place + size * random_direction(random));
      radii.push_back(size * random.unit());
    }
    const Around all = around(centers, radii);
    for (std::size_t i = 0; i < centers.size(); ++i)
      for (int axis = 0; axis < 3; ++axis) {
        EXPECT_LE(Long(all.low(axis)), Long(centers[i][axis]) - Long(radii[i]));
        EXPECT_GE(Long(all.high(axis)), Long(centers[i][axis]) + Long(radii[i]));
      }
    // about the middle of them, and no larger than the farthest reaches from there
    LongVec middle = LongVec::Zero();
    for (const Vec3& p : centers) middle += p.cast<Long>() / Long(centers.size());
    Long reach = 0;
    for (std::size_t i = 0; i < centers.size(); ++i)
      reach = std::max(reach, (centers[i].cast<Long>() - middle).norm() + Long(radii[i]));
    const Long rounding = 256 * std::numeric_limits<double>::epsilon() * Long(place.norm() + size);
    EXPECT_LE(Long(all.radius), reach + rounding);
    // a ball just beyond one of them
    const Vec3 out = (centers[0] - place).normalized();
    EXPECT_LE(apart(all, around(Pose(centers[0] + 2.0 * radii[0] * out, Quat::Identity()),
                                Vec3::Zero(), radii[0])),
              8.0 * std::numeric_limits<double>::epsilon() * place.norm());
  }
}

TEST(Around, what_is_no_number_is_not_apart) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const Around here = around(Pose(), Vec3::Zero(), 1.0);
  for (const double wrong : {kNan, kInf}) {
    const Around nowhere = around(Pose(Vec3(wrong, 0, 0), Quat::Identity()), Vec3::Zero(), 1.0);
    EXPECT_FALSE(apart(here, nowhere) > 0.0 && wrong != kInf);
    EXPECT_FALSE(apart(here, around(Pose(), Vec3(5, 0, 0), wrong)) > 0.0);
    EXPECT_FALSE(above_ground(around(Pose(), Vec3(0, 0, 9), wrong), Pose()) > 0.0);
  }
  EXPECT_FALSE(apart(here, around(Pose(Vec3(9, 0, 0), Quat(0, 0, 0, 0)), Vec3::UnitX(), 1.0)) > 0);
}

TEST(Around, is_larger_by_a_share_and_flat_along_z) {
  const Around ball = around(Pose(Vec3(0, 0, 7), Quat::Identity()), Vec3::Zero(), 2.0);
  EXPECT_GE(ball.grown(0.5).radius, 3.0);
  EXPECT_LE(ball.grown(0.5).radius, 3.0 + 1e-12);
  const Around origin = around(Pose(), Vec3::Zero(), 2.0);
  EXPECT_GT(apart(ball, origin), 2.9);
  EXPECT_LT(apart(ball.flat(), origin.flat()), 0.0);
}

}  // namespace
}  // namespace repose::prove
