#include "repose/world/motion_sums.h"

#include <gtest/gtest.h>

namespace repose {
namespace {

TEST(MotionSums, a_turning_body_has_the_same_sums_as_its_points) {
  // a square of four points that turns about its middle and flies on, as a soft and as a rigid body
  const std::vector<Vec3> corners{Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(-1, 0, 0), Vec3(0, -1, 0)};
  const Vec3 at(5, 2, 1), velocity(0.5, -1, 2), spin(0, 0, 3);
  Problem soft, rigid;
  State points, pose;
  for (auto* side : {&soft, &rigid}) side->bodies.resize(1);
  points.bodies.resize(1);
  pose.bodies.resize(1);
  SoftBody made;
  made.masses = {0.25, 0.25, 0.25, 0.25};
  made.fixed = {0, 0, 0, 0};
  soft.bodies[0].soft = std::make_shared<const SoftBody>(made);
  Mat3 inertia = Mat3::Zero();
  for (const Vec3& c : corners) {
    points.bodies[0].soft.positions.edit().push_back(at + c);
    points.bodies[0].soft.velocities.edit().push_back(velocity + spin.cross(c));
    inertia += 0.25 * (c.squaredNorm() * Mat3::Identity() - c * c.transpose());
  }
  rigid.bodies[0].mass = 1.0;
  rigid.bodies[0].inertia_body = inertia;
  pose.bodies[0].world_from_body.position = at;
  pose.bodies[0].velocity = velocity;
  pose.bodies[0].angular_velocity = spin;
  const MotionSums a = motion_sums(soft, points), b = motion_sums(rigid, pose);
  EXPECT_NEAR(a.mass, b.mass, 1e-15);
  EXPECT_LT((a.momentum - b.momentum).norm(), 1e-14);
  EXPECT_LT((a.angular_momentum - b.angular_momentum).norm(), 1e-13);
  EXPECT_NEAR(a.kinetic_energy, b.kinetic_energy, 1e-13);
  EXPECT_NEAR(a.gravity_energy, 9.81, 1e-13);
  EXPECT_NEAR(b.gravity_energy, 9.81, 1e-13);
}

TEST(MotionSums, what_is_held_does_not_count) {
  Problem problem;
  problem.bodies.resize(1);
  SoftBody made;
  made.masses = {1.0, 2.0};
  made.fixed = {1, 0};
  problem.bodies[0].soft = std::make_shared<const SoftBody>(made);
  State state;
  state.bodies.resize(1);
  state.bodies[0].soft.positions = {Vec3::Zero(), Vec3::Zero()};
  state.bodies[0].soft.velocities = {Vec3::UnitX(), Vec3::UnitX()};
  EXPECT_EQ(motion_sums(problem, state).mass, 2.0);
  problem.bodies[0].fixed = true;
  EXPECT_EQ(motion_sums(problem, state).mass, 0.0);
}

}  // namespace
}  // namespace repose
