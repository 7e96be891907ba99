#include "check/scenes.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

namespace repose::check {
namespace {

using scenes::Scene;

/// What the judge finds is what was given: bodies, points, normals, friction, and no more.
void expect_given(const Scene& s, const Verdict& v) {
  EXPECT_EQ(v.contacts.size(), s.contacts.size());
  for (const ContactPoint& given : s.contacts) {
    int matches = 0;
    for (const ContactPoint& c : v.contacts)
      matches += c.body_a == given.body_a && c.body_b == given.body_b &&
                 (c.point - given.point).norm() < 1e-6 &&
                 (c.normal_a_to_b - given.normal_a_to_b).norm() < 1e-6 &&
                 std::fabs(c.friction - given.friction) < 1e-12 && std::fabs(c.gap) < 1e-9;
    EXPECT_EQ(matches, 1) << given.body_a << ' ' << given.body_b << ' ' << given.point.transpose();
  }
}

/// Weight, loads, joints and contact forces cancel on every movable body.
void expect_equilibrium(const Scene& s, const std::vector<ContactPoint>& contacts,
                        const Balance& b) {
  ASSERT_EQ(b.forces_on_b.size(), contacts.size());
  ASSERT_EQ(b.per_body.size(), s.input.bodies.size());
  for (int i = 0; i < static_cast<int>(s.input.bodies.size()); ++i) {
    const PlacedBody& item = s.input.bodies[static_cast<std::size_t>(i)];
    if (item.fixed) continue;
    const Vec3 center = item.center_world();
    Vec3 force = item.mass * s.input.gravity, torque = Vec3::Zero();
    const auto add = [&](const Vec3& f, const Vec3& at) {
      force += f;
      torque += (at - center).cross(f);
    };
    for (const Load& l : s.input.loads)
      if (l.body == i) {
        add(l.force, l.point_world);
        torque += l.torque;
      }
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      if (contacts[c].body_b == i) add(b.forces_on_b[c], contacts[c].point);
      if (contacts[c].body_a == i) add(-b.forces_on_b[c], contacts[c].point);
    }
    for (std::size_t k = 0; k < s.input.restraints.size(); ++k) {
      const Restraint& j = s.input.restraints[k];
      if (j.body_b == i) add(b.reactions[k].force_on_b, j.point_world);
      if (j.body_a == i) add(-b.reactions[k].force_on_b, j.point_world);
    }
    const double weight = item.mass * s.input.gravity.norm();
    EXPECT_LT(force.norm(), 2e-6 * weight) << i;
    EXPECT_LT(torque.norm(), 2e-6 * weight * item.size()) << i;
    EXPECT_LE(b.per_body[static_cast<std::size_t>(i)], 1e-6);
  }
}

void expect_in_cones(const std::vector<ContactPoint>& contacts, const Balance& b) {
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const Vec3& n = contacts[c].normal_a_to_b;
    const double normal = b.forces_on_b[c].dot(n);
    EXPECT_GE(normal, -1e-9);
    EXPECT_LE((b.forces_on_b[c] - normal * n).norm(), contacts[c].friction * normal + 1e-6);
  }
}

/// The judge's own way and the contacts given lead to the same balance.
Verdict judge(const Scene& s, StabilityClass kind = StabilityClass::stable) {
  const Verdict v = check(s.input);
  EXPECT_EQ(v.answer, Answer::proven) << v.why;
  EXPECT_EQ(v.stability.kind, kind)
      << v.stability.why << " " << v.stability.witness.power << " "
      << v.stability.witness.velocity.transpose() << " " << v.stability.witness.angular.transpose();
  expect_given(s, v);
  expect_equilibrium(s, v.contacts, v.balance);
  expect_in_cones(v.contacts, v.balance);
  const Balance given = balance(s.input, s.contacts);
  EXPECT_TRUE(given.balanced);
  EXPECT_TRUE(given.least_norm);
  EXPECT_GT(given.steps, 0);
  expect_equilibrium(s, s.contacts, given);
  expect_in_cones(s.contacts, given);
  return v;
}

TEST(Scenes, a_board_on_three_balls_presses_as_statics_says) {
  const Scene s = scenes::board_on_balls();
  const Verdict v = judge(s);
  ASSERT_EQ(v.contacts.size(), 3u);
  // vertical forces and the two level torques decide the normal forces
  Mat3 m;
  Vec3 wanted;
  const Vec3 center(0.15, -0.05, 0.1);
  const Vec3 load(0.8, -0.3, -5.0), arm = Vec3(1.0, 0.5, 0.2) - center;
  const Vec3 torque = Vec3(0.4, -0.2, 0) + arm.cross(load);
  const Vec3 at[3] = {{-0.6, -0.5, 0}, {0.8, -0.4, 0}, {0.1, 0.7, 0}};
  // friction holds the level push at z = 0, below the centre: its torque counts as well
  const Vec3 push(-0.8, 0.3, 0.0);
  const Vec3 of_push = Vec3(0, 0, -0.1).cross(push);
  for (int k = 0; k < 3; ++k) m.col(k) << 1.0, (at[k] - center).y(), -(at[k] - center).x();
  wanted << 3.0 * 9.81 + 5.0, -torque.x() - of_push.x(), -torque.y() - of_push.y();
  const Vec3 normal = m.fullPivLu().solve(wanted);
  for (std::size_t k = 0; k < 3; ++k) {
    const auto c = static_cast<std::size_t>(v.contacts[k].body_a);
    EXPECT_NEAR(v.balance.forces_on_b[k].z(), normal[static_cast<Eigen::Index>(c)], 1e-4);
    EXPECT_NEAR(v.ranges[k].low, normal[static_cast<Eigen::Index>(c)], 1e-3);
    EXPECT_NEAR(v.ranges[k].high, normal[static_cast<Eigen::Index>(c)], 1e-3);
  }
  // pressed harder: what the load may grow to before the board tips or slides
  EXPECT_GT(v.stability.margins.load, 1.2);
  EXPECT_LT(v.stability.margins.load, 20.0);
  Scene more = s;
  const double factor = v.stability.margins.load;
  for (const double share : {0.99, 1.01}) {
    more.input.loads[0].force = share * factor * s.input.loads[0].force;
    more.input.loads[0].torque = share * factor * s.input.loads[0].torque;
    EXPECT_EQ(balance(more.input, s.contacts).balanced, share < 1.0) << share;
  }
}

TEST(Scenes, balls_in_a_slot_press_as_the_line_of_centres_says) {
  const Scene s = scenes::balls_in_slot();
  // across the slot nothing holds the upper one
  const Verdict v = judge(s, StabilityClass::metastable);
  EXPECT_GE(v.stability.witness.body, 3);
  ASSERT_EQ(v.contacts.size(), 4u);
  const double sine = 1.2449899597988731 / 1.8, cosine = 1.3 / 1.8;
  const double between = 1.5 * 9.81 / sine;
  for (std::size_t c = 0; c < 4; ++c) {
    const ContactPoint& at = v.contacts[c];
    const double f = v.balance.forces_on_b[c].norm();
    EXPECT_NEAR(f, at.body_a == 0 ? 3.5 * 9.81 : at.body_a == 3 ? between : between * cosine, 1e-4);
    EXPECT_TRUE(v.ranges[c].unique(1e-3));
  }
  EXPECT_EQ(v.stability.margins.friction, 0.0);
}

TEST(Scenes, a_rope_carries_what_friction_does_not) {
  const Scene s = scenes::block_on_slope();
  const Verdict v = judge(s);
  ASSERT_EQ(v.balance.reactions.size(), 1u);
  const double along = 2.5 * 9.81 * std::sin(0.25), across = 2.5 * 9.81 * std::cos(0.25);
  double normal = 0.0, slip = 0.0;
  Vec3 turning = Vec3::Zero();  // about the block's middle, where the rope pulls
  for (std::size_t c = 0; c < v.contacts.size(); ++c) {
    turning +=
        (v.contacts[c].point - s.input.bodies[1].center_world()).cross(v.balance.forces_on_b[c]);
    const double n = v.balance.forces_on_b[c].dot(v.contacts[c].normal_a_to_b);
    normal += n;
    slip += (v.balance.forces_on_b[c] - n * v.contacts[c].normal_a_to_b).norm();
  }
  EXPECT_NEAR(normal, across, 1e-4);
  EXPECT_LT(turning.norm(), 1e-4);
  const Vec3 rope = v.balance.reactions[0].force_on_b;
  EXPECT_LT((rope.normalized() - Vec3(-0.96891242171064473, 0, 0.24740395925452294)).norm(), 1e-9);
  EXPECT_NEAR(rope.norm() + slip, along, 2e-3);
  EXPECT_LE(slip, 0.1 * across + 1e-4);
  // without the rope it slides, without friction the rope alone holds it
  Input cut = s.input;
  cut.restraints.clear();
  EXPECT_FALSE(balance(cut, s.contacts).balanced);
  const Balance smooth = balance(s.input, s.contacts, 0.0);
  EXPECT_TRUE(smooth.balanced);
  EXPECT_NEAR(smooth.reactions[0].force_on_b.norm(), along, 1e-4);
}

}  // namespace
}  // namespace repose::check
