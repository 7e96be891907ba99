#include "repose/world/soft.h"

#include <gtest/gtest.h>

#include "repose/world/problem.h"
#include "repose/world/state.h"

namespace repose {
namespace {

State soft_state() {
  State out;
  out.bodies.resize(2);
  out.bodies[1].soft.positions = {Vec3(1, 2, 3), Vec3(4, 5, 6)};
  out.bodies[1].soft.velocities = {Vec3::Zero(), Vec3::UnitX()};
  out.bodies[1].soft.radii = {0.5, 0.25};
  return out;
}

TEST(SoftState, a_copied_state_shares_every_array_that_did_not_change) {
  const State before = soft_state();
  State after = before;
  after.bodies[1].soft.positions.edit()[0].x() += 1.0;
  EXPECT_TRUE(after.bodies[1].soft.velocities.shares(before.bodies[1].soft.velocities));
  EXPECT_TRUE(after.bodies[1].soft.radii.shares(before.bodies[1].soft.radii));
  EXPECT_EQ(before.bodies[1].soft.positions[0].x(), 1.0);
}

TEST(SoftState, the_hash_sees_every_number_of_every_point) {
  const std::string hash = state_hash(soft_state());
  for (int what = 0; what < 4; ++what) {
    State other = soft_state();
    SoftState& soft = other.bodies[1].soft;
    if (what == 0) soft.positions.edit()[1].z() += 1e-15 * 8;
    if (what == 1) soft.velocities.edit()[0].y() = 1e-300;
    if (what == 2) soft.radii.edit()[1] = 0.125;
    if (what == 3) soft.data = {1.0, 2.0};
    EXPECT_NE(state_hash(other), hash) << what;
  }
  EXPECT_EQ(state_hash(soft_state()), hash);
}

TEST(SoftState, a_point_that_is_not_finite_or_has_left_the_world_is_seen) {
  State state = soft_state();
  EXPECT_TRUE(all_finite(state));
  EXPECT_EQ(strayed_body(state), -1);
  state.bodies[1].soft.positions.edit()[1].y() = 2.0 * kFarthest;
  EXPECT_EQ(strayed_body(state), 1);
  state = soft_state();
  state.bodies[1].soft.velocities.edit()[1].y() = std::nan("");
  EXPECT_FALSE(all_finite(state));
  state = soft_state();
  state.bodies[1].soft.radii.edit()[0] = std::nan("");
  EXPECT_FALSE(all_finite(state));
}

TEST(Pull, is_linear_between_its_times_and_constant_beyond_them) {
  Force pull;
  pull.times = {1.0, 2.0, 4.0};
  pull.vectors = {Vec3(0, 0, 1), Vec3(0, 0, 3), Vec3(2, 0, 3)};
  EXPECT_EQ(pull_at(pull, 0.0), Vec3(0, 0, 1));
  EXPECT_EQ(pull_at(pull, 1.0), Vec3(0, 0, 1));
  EXPECT_EQ(pull_at(pull, 1.5), Vec3(0, 0, 2));
  EXPECT_EQ(pull_at(pull, 3.0), Vec3(1, 0, 3));
  EXPECT_EQ(pull_at(pull, 4.0), Vec3(2, 0, 3));
  EXPECT_EQ(pull_at(pull, 9.0), Vec3(2, 0, 3));
}

TEST(Path, goes_straight_and_turns_evenly_from_place_to_place) {
  Path path;
  path.times = {0.0, 2.0};
  path.poses = {Pose{}, {Vec3(4, 0, 0), rotation_from_vector(Vec3(0, 0, 1))}};
  const Pose half = pose_at(path, 1.0);
  EXPECT_EQ(half.position, Vec3(2, 0, 0));
  EXPECT_NEAR(vector_from_rotation(half.rotation).z(), 0.5, 1e-15);
  EXPECT_EQ(pose_at(path, -1.0).position, Vec3::Zero());
  EXPECT_EQ(pose_at(path, 3.0).position, Vec3(4, 0, 0));
}

}  // namespace
}  // namespace repose
