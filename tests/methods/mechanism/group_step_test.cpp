#include "src/methods/mechanism/group_step.h"

#include "mechanism_scene.h"

namespace repose::mechanism {
namespace {

int add_pendulum(MechanismScene& scene) {
  const int rod = scene.add_box(1.0, 0.1, Vec2(0.5, 5.0));
  scene.join(JointKind::pin, rod, Vec2(-0.5, 0.0), -1, Vec2(0.0, 5.0));
  return rod;
}

TEST(GroupStep, boxes_that_bounce_change_no_bit_of_a_pendulum_far_away) {
  MechanismScene alone, beside;
  const int rod = add_pendulum(alone);
  ASSERT_EQ(add_pendulum(beside), rod);
  beside.add_ground();
  for (int k = 0; k < 5; ++k) {
    const int box = beside.add_box(0.3, 0.2, Vec2(20.0 + 0.4 * k, 0.3 + 0.21 * k), 0.3 * k);
    beside.material(box, 0.3, 0.4);
  }
  alone.prepared();
  beside.prepared();
  for (int k = 0; k < 200; ++k) {
    alone.step();
    beside.step();
  }
  EXPECT_EQ(alone.at(rod).world_from_body.position, beside.at(rod).world_from_body.position);
  EXPECT_EQ(alone.at(rod).angular_velocity, beside.at(rod).angular_velocity);
}

TEST(GroupStep, a_ball_struck_in_mid_step_does_not_pass_a_sheet_it_was_not_near) {
  for (const double speed : {20.0, 200.0, 2000.0}) {
    MechanismScene scene;
    scene.problem.gravity.setZero();
    const int hammer = scene.add_box(1.0, 1.0, Vec2(-0.7, 0.0));
    const int ball = scene.add_disc(0.05, Vec2(0.0, 0.0));
    const int sheet = scene.add_box(0.001, 1.0, Vec2(0.3, 0.0));
    scene.body(hammer).mass *= 1000.0;
    scene.body(hammer).inertia_body *= 1000.0;
    for (const int i : {hammer, ball, sheet}) scene.material(i, 0.0, 1.0);
    scene.at(hammer).velocity = Vec3(speed, 0.0, 0.0);
    scene.settings["step_time"] = 0.4 / speed;
    scene.prepared();
    for (int k = 0; k < 10; ++k) {
      EXPECT_EQ(scene.step().status, RunStatus::moving);
      EXPECT_LT(scene.position(hammer).x() + 0.5, scene.position(ball).x() - 0.0499) << speed;
      EXPECT_LT(scene.position(ball).x() + 0.0499, scene.position(sheet).x()) << speed;
    }
    EXPECT_GT(scene.position(sheet).x(), 0.4);
  }
}

TEST(GroupStep, groups_are_what_contacts_joints_and_springs_hold_together) {
  MechanismScene scene;
  scene.add_ground();
  for (int k = 0; k < 6; ++k) scene.add_box(0.5, 0.5, Vec2(2.0 * k, 1.0));
  scene.join(JointKind::rod, 1, Vec2::Zero(), 3, Vec2::Zero()).values["length"] = 4.0;
  scene.join(JointKind::spring, 2, Vec2::Zero(), 0, Vec2::Zero()).values["stiffness"] = 1.0;
  Machine machine;
  machine.bodies = *prepare_bodies(scene.problem, scene.state);
  Motion motion;
  for (std::size_t i = 0; i < machine.bodies.size(); ++i) {
    motion.place.push_back(place_of(machine.bodies[i], scene.state.bodies[i].world_from_body, 0.0));
    motion.rate.push_back(Plane3::Zero());
  }
  machine.joints = *prepare_joints(scene.problem, machine.bodies, motion, {});
  const std::vector<collide::IndexPair> near{{0, 4}, {0, 5}, {5, 6}};
  const std::vector<Group> groups = find_groups(machine, whole_of(machine), near);
  ASSERT_EQ(groups.size(), 4U);
  EXPECT_EQ(groups[0].bodies, (std::vector<int>{1, 3}));
  EXPECT_EQ(groups[1].bodies, (std::vector<int>{2}));
  EXPECT_EQ(groups[1].joints, (std::vector<int>{1}));
  EXPECT_EQ(groups[2].bodies, (std::vector<int>{4}));
  EXPECT_EQ(groups[3].bodies, (std::vector<int>{5, 6}));
  EXPECT_EQ(groups[3].pairs, (std::vector<collide::IndexPair>{{0, 5}, {5, 6}}));
}

}  // namespace
}  // namespace repose::mechanism
