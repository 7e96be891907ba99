#include "mechanism_scene.h"

namespace repose::mechanism {
namespace {

/// Drift of the joints over the run so far, of body size.
double drift(MechanismScene& scene) {
  for (const auto& [name, fact] : scene.method->facts(scene.problem, scene.state)) {
    const std::string text = fact.line();
    if (name == "joints") return std::stod(text.substr(text.find("drift_relative") + 16));
  }
  return 1.0;
}

TEST(Joints, every_kind_keeps_its_drift_below_1e_9_while_it_swings) {
  for (const JointKind kind : {JointKind::pin, JointKind::point_on_line, JointKind::slider,
                               JointKind::weld, JointKind::rod}) {
    MechanismScene scene;
    const int a = scene.add_box(1.0, 0.2, Vec2(0.0, 0.0));
    const int b = scene.add_box(1.0, 0.2, Vec2(1.2, 0.0), 0.4);
    scene.body(b).layer = 1;
    scene.join(JointKind::pin, a, Vec2(-0.5, 0.0), -1, Vec2(-0.5, 0.0));
    const Vec2 at_b(-0.5, 0.0);
    const Vec3 world = scene.at(b).world_from_body * Vec3(at_b.x(), at_b.y(), 0.0);
    Joint& joint = scene.join(kind, a, Vec2(world.x(), world.y()), b, at_b);
    joint.axis = Vec3(1.0, 0.5, 0.0).normalized();
    if (kind == JointKind::rod) joint.point_a = Vec3(0.3, 0.1, 0.0);
    scene.prepared();
    scene.run(5.0);
    EXPECT_LT(drift(scene), 1e-9) << name_of(kind);
    EXPECT_GT(drift(scene), 0.0) << name_of(kind);
  }
}

TEST(Joints, a_double_pendulum_keeps_its_energy) {
  MechanismScene scene;
  scene.settings["step_time"] = 1e-3;
  const int a = scene.add_box(1.0, 0.05, Vec2(0.5, 0.0)),
            b = scene.add_box(1.0, 0.05, Vec2(1.5, 0.0));
  scene.body(b).layer = 1;
  scene.join(JointKind::pin, a, Vec2(-0.5, 0.0), -1, Vec2(0.0, 0.0));
  scene.join(JointKind::pin, b, Vec2(-0.5, 0.0), a, Vec2(0.5, 0.0));
  scene.prepared();
  const double before = scene.energy();
  scene.run(5.0);
  EXPECT_NEAR(scene.energy(), before, 1e-6 * 9.81 * scene.body(a).mass);
}

TEST(Joints, a_chain_of_a_hundred_links_let_go_level_holds_and_keeps_its_energy) {
  constexpr int kLinks = 100;
  constexpr double kLink = 0.1;  // m
  MechanismScene scene;
  scene.settings["step_time"] = 2e-3;
  for (int i = 0; i < kLinks; ++i) {
    const int link = scene.add_box(0.9 * kLink, 0.2 * kLink, Vec2((i + 0.5) * kLink, 0.0));
    scene.body(link).collides = false;
    const Vec2 before = i == 0 ? Vec2(0.0, 0.0) : Vec2(0.5 * kLink, 0.0);
    scene.join(JointKind::pin, link, Vec2(-0.5 * kLink, 0.0), link - 1, before);
  }
  scene.prepared();
  const double start = scene.energy();
  const StepReport report = scene.run(2.5);
  EXPECT_EQ(report.status, RunStatus::moving) << report.why;
  EXPECT_LT(drift(scene), 1e-6);
  const double fall = 9.81 * kLinks * scene.body(0).mass * 0.5 * kLinks * kLink;
  EXPECT_NEAR(scene.energy(), start, 1e-4 * fall);
}

TEST(Joints, a_machine_that_no_step_can_hold_stops_and_names_the_joint) {
  MechanismScene scene;
  scene.settings["step_time"] = 10.0;
  const int a = scene.add_box(1e-3, 1e-4, Vec2(5e-4, 0.0)),
            b = scene.add_box(1e-3, 1e-4, Vec2(15e-4, 0.0));
  scene.body(b).layer = 1;
  scene.join(JointKind::pin, a, Vec2(-5e-4, 0.0), -1, Vec2(0.0, 0.0));
  scene.join(JointKind::pin, b, Vec2(-5e-4, 0.0), a, Vec2(5e-4, 0.0));
  scene.prepared();
  const StepReport report = scene.run(100.0);
  EXPECT_EQ(report.status, RunStatus::stuck);
  EXPECT_NE(report.why.find("can no longer be held"), std::string::npos) << report.why;
  EXPECT_LT(drift(scene), 1e-6);
}

TEST(Joints, a_rope_holds_at_its_length_and_is_slack_below) {
  MechanismScene scene;
  const int ball = scene.add_disc(0.1, Vec2(0.0, -0.2));
  scene.join(JointKind::rope, ball, Vec2::Zero(), -1, Vec2::Zero()).values["length"] = 1.0;
  scene.prepared();
  scene.run(0.2);
  EXPECT_NEAR(scene.position(ball).y(), -0.2 - 0.5 * 9.81 * 0.04, 1e-9);
  const StepReport report = scene.run(2.0);
  EXPECT_EQ(report.status, RunStatus::rest);
  EXPECT_NEAR(scene.position(ball).y(), -1.0, 1e-8);
}

TEST(Joints, a_pin_stops_at_its_angle) {
  MechanismScene scene;
  const int bar = scene.add_box(1.0, 0.1, Vec2(0.5, 0.0));
  scene.join(JointKind::pin, bar, Vec2(-0.5, 0.0), -1, Vec2::Zero()).values["angle_min"] = -0.7;
  scene.prepared();
  scene.run(2.0);
  EXPECT_NEAR(scene.turn(bar), -0.7, 1e-8);
}

/// Where a block on the joint, falling along `axis`, is held by the end of its travel.
Vec2 held_by_travel(JointKind kind, const Vec3& axis) {
  MechanismScene scene;
  const int block = scene.add_box(0.2, 0.2, Vec2(0.0, 0.0));
  Joint& joint = scene.join(kind, block, Vec2::Zero(), -1, Vec2::Zero());
  joint.axis = axis;
  joint.values["travel_min"] = -0.5;
  scene.prepared();
  scene.run(2.0);
  return scene.position(block);
}

TEST(Joints, a_slider_stops_at_its_travel) {
  const Vec2 at = held_by_travel(JointKind::slider, Vec3(0.6, 0.8, 0.0));
  EXPECT_NEAR(at.x(), -0.3, 1e-8);
  EXPECT_NEAR(at.y(), -0.4, 1e-8);
}

TEST(Joints, a_point_on_a_line_stops_at_its_travel) {
  EXPECT_NEAR(held_by_travel(JointKind::point_on_line, Vec3(0.0, 1.0, 0.0)).y(), -0.5, 1e-8);
}

TEST(Joints, a_spring_comes_no_longer_and_no_shorter_than_its_limits) {
  for (const bool hangs : {true, false}) {
    MechanismScene scene;
    const int block = scene.add_box(0.2, 0.2, Vec2(0.0, hangs ? -1.0 : 1.0));
    scene.material(block, 0.0, 0.0);
    scene.body(block).frozen[0] = true;  // a column would tip
    scene.body(block).frozen[5] = true;
    Joint& joint = scene.join(JointKind::spring, block, Vec2::Zero(), -1, Vec2::Zero());
    joint.values["stiffness"] = 0.1;  // far too weak for the block
    joint.values["length"] = 1.0;
    joint.values["length_min"] = 0.8;
    joint.values["length_max"] = 1.3;
    scene.prepared();
    EXPECT_EQ(scene.run(3.0).status, RunStatus::rest);
    EXPECT_NEAR(scene.position(block).y(), hangs ? -1.3 : 0.8, 1e-8);
  }
}

TEST(Joints, gears_turn_in_their_ratio) {
  MechanismScene scene;
  scene.problem.gravity = Vec3::Zero();
  const int a = scene.add_disc(1.0, Vec2(0.0, 0.0)), b = scene.add_disc(0.5, Vec2(2.0, 0.0));
  scene.join(JointKind::pin, a, Vec2::Zero(), -1, Vec2(0.0, 0.0));
  scene.join(JointKind::pin, b, Vec2::Zero(), -1, Vec2(2.0, 0.0));
  scene.join(JointKind::gear, a, Vec2::Zero(), b, Vec2::Zero()).values["ratio"] = -2.0;
  scene.join(JointKind::motor, a, Vec2::Zero(), -1, Vec2::Zero()).values["speed"] = 0.5;
  scene.prepared();
  scene.run(1.0);
  EXPECT_NEAR(scene.turn(a), 0.5, 1e-9);
  EXPECT_NEAR(scene.turn(b), -1.0, 1e-9);
}

TEST(Joints, a_limited_motor_gains_speed_by_its_torque_and_then_keeps_it) {
  MechanismScene scene;
  scene.problem.gravity = Vec3::Zero();
  const int wheel = scene.add_disc(1.0, Vec2::Zero());
  scene.join(JointKind::pin, wheel, Vec2::Zero(), -1, Vec2::Zero());
  Joint& motor = scene.join(JointKind::motor, wheel, Vec2::Zero(), -1, Vec2::Zero());
  motor.values["speed"] = 2.0;
  motor.values["max_torque"] = scene.body(wheel).inertia_body(2, 2);
  scene.prepared();
  scene.run(1.0);
  EXPECT_NEAR(scene.at(wheel).angular_velocity.z(), 1.0, 1e-9);
  scene.run(4.0);
  EXPECT_NEAR(scene.at(wheel).angular_velocity.z(), 2.0, 1e-6);
}

TEST(Joints, a_spring_swings_at_its_frequency) {
  MechanismScene scene;
  scene.problem.gravity = Vec3::Zero();
  scene.settings["step_time"] = 1e-3;
  const int ball = scene.add_disc(0.1, Vec2(1.5, 0.0));
  Joint& spring = scene.join(JointKind::spring, ball, Vec2::Zero(), -1, Vec2::Zero());
  const double stiffness = scene.body(ball).mass * 4.0 * kPi * kPi;
  spring.values["stiffness"] = stiffness;
  spring.values["length"] = 1.0;
  scene.prepared();
  scene.run(1.0);
  EXPECT_NEAR(scene.position(ball).x(), 1.5, 1e-6);
}

std::string refusal(MechanismScene& scene) {
  const auto done = scene.start();
  return done ? "" : done.error().text();
}

TEST(Joints, bodies_that_a_joint_holds_at_a_point_pass_one_another_unless_told_to_touch) {
  for (const JointKind kind :
       {JointKind::pin, JointKind::weld, JointKind::slider, JointKind::point_on_line})
    for (const bool touch : {false, true}) {
      // two links of a lamp: they overlap where they are joined
      MechanismScene scene;
      const int arm = scene.add_box(1.0, 0.1, Vec2(0.0, 0.0));
      const int fore = scene.add_box(1.0, 0.1, Vec2(0.9, 0.0));
      scene.join(JointKind::pin, arm, Vec2(-0.45, 0.0), -1, Vec2(-0.45, 0.0));
      Joint& joint = scene.join(kind, arm, Vec2(0.45, 0.0), fore, Vec2(-0.45, 0.0));
      joint.axis = Vec3::UnitX();
      if (touch) joint.values["collides"] = true;
      const std::string text = refusal(scene);
      EXPECT_EQ(text.find("overlaps") != std::string::npos, touch) << name_of(kind) << ": " << text;
      EXPECT_EQ(text.find("repair_start") != std::string::npos, touch) << text;
      if (text.empty()) scene.run(0.2);
    }
}

TEST(Joints, a_bar_on_a_taut_rope_swings_as_on_a_rod_and_on_when_the_rope_snaps_tight) {
  // hung by its end, so that it turns about the rope's point: the rope is taut, slack, taut again
  const auto hung = [](JointKind kind) {
    auto scene = std::make_unique<MechanismScene>();
    const int bar = scene->add_box(1.0, 0.1, Vec2(0.0, 0.0));
    Joint& joint = scene->join(kind, bar, Vec2(0.5, 0.0), -1, Vec2(0.5, 0.3));
    joint.values["length"] = 0.3;
    scene->prepared();
    return scene;
  };
  const auto rope = hung(JointKind::rope), rod = hung(JointKind::rod);
  rope->run(0.1);
  rod->run(0.1);
  EXPECT_LT((rope->position(0) - rod->position(0)).norm(), 1e-7);
  const double start = rope->energy();
  while (rope->state.time < 3.0) {
    ASSERT_EQ(rope->step().status, RunStatus::moving) << rope->state.time;
    const Vec3 end = rope->at(0).world_from_body * Vec3(0.5, 0.0, 0.0);
    ASSERT_LT((end.head<2>() - Vec2(0.5, 0.3)).norm(), 0.3 + 1e-8) << rope->state.time;
  }
  EXPECT_LT(rope->energy(), start + 1e-6 * std::fabs(start) + 1e-9);
}

TEST(Joints, a_rope_far_from_the_middle_of_a_light_body_gives_no_energy) {
  // the body turns through the rope's line within a step: what it does there wants shorter ones
  for (const double away : {0.5, 0.8, 1.2}) {
    MechanismScene scene;
    const int hook = scene.add_disc(0.08, Vec2(0.0, 1.2));
    const int load = scene.add_box(0.4, 0.3, Vec2(0.4, 0.5));
    Joint& spring = scene.join(JointKind::spring, hook, Vec2::Zero(), -1, Vec2(0.0, 2.0));
    spring.values["stiffness"] = 0.4;
    spring.values["length"] = 0.5;
    const Vec2 end = away * Vec2(0.5, -0.87);
    scene.join(JointKind::rope, load, Vec2::Zero(), hook, end).values["length"] = 0.9;
    scene.settings["step_time"] = 0.005;
    scene.prepared();
    const double start = scene.energy(), fall = 9.81 * scene.body(load).mass;
    while (scene.state.time < 4.0) {
      ASSERT_EQ(scene.step().status, RunStatus::moving) << scene.state.time;
      ASSERT_LT(scene.energy(), start + 0.02 * fall) << away << " at " << scene.state.time;
    }
  }
}

TEST(Joints, bodies_on_a_rope_touch_as_all_others_do) {
  MechanismScene scene;
  const int post = scene.add_box(0.2, 2.0, Vec2(0.0, 0.0), 0.0, true);
  const int ball = scene.add_disc(0.1, Vec2(0.15, 0.0));
  scene.join(JointKind::rope, post, Vec2(0.0, 0.0), ball, Vec2(0.0, 0.0)).values["length"] = 1.0;
  EXPECT_NE(refusal(scene).find("overlaps"), std::string::npos);
}

TEST(Joints, without_friction_a_block_slides_that_friction_holds) {
  for (const bool friction : {true, false}) {
    MechanismScene scene;
    scene.settings["friction"] = friction;
    const double slope = 0.2;
    scene.add_ground(-slope);
    const Vec2 up(std::sin(slope), std::cos(slope));
    const int block = scene.add_box(0.4, 0.2, 0.1001 * up, -slope);
    scene.prepared();
    const Vec2 start = scene.position(block);
    scene.run(0.5);
    const double way = (scene.position(block) - start).norm();
    EXPECT_NEAR(way, friction ? 0.0 : 0.5 * 9.81 * std::sin(slope) * 0.25, 1e-3);
  }
}

TEST(Joints, contradictory_joints_are_refused_by_name) {
  MechanismScene scene;
  const int bar = scene.add_box(1.0, 0.1, Vec2(0.5, 0.0));
  scene.join(JointKind::pin, bar, Vec2(-0.5, 0.0), -1, Vec2(0.0, 0.0)).name = "left";
  scene.join(JointKind::pin, bar, Vec2(0.5, 0.0), -1, Vec2(1.1, 0.0)).name = "right";
  scene.settings["repair_start"] = true;
  const std::string text = refusal(scene);
  EXPECT_NE(text.find("left"), std::string::npos) << text;
  EXPECT_NE(text.find("right"), std::string::npos) << text;
  EXPECT_NE(text.find("contradict"), std::string::npos) << text;
}

TEST(Joints, a_joint_that_holds_a_body_against_another_names_both) {
  // pinned where it touches: there is no room to keep them apart
  MechanismScene scene;
  const int wedge = scene.add_box(0.2, 0.2, Vec2(0.0, -0.1), 0.0, true);
  const int plank = scene.add_box(4.0, 0.1, Vec2(0.0, 0.05));
  scene.join(JointKind::pin, plank, Vec2(0.0, -0.05), -1, Vec2(0.0, 0.0)).name = "hinge";
  const std::string text = refusal(scene);
  EXPECT_NE(text.find("no room"), std::string::npos) << text;
  EXPECT_NE(text.find(scene.problem.bodies[static_cast<std::size_t>(wedge)].name),
            std::string::npos);
  EXPECT_NE(text.find("layers"), std::string::npos);
}

TEST(Joints, two_motors_at_different_speeds_are_refused) {
  MechanismScene scene;
  const int wheel = scene.add_disc(1.0, Vec2::Zero());
  scene.join(JointKind::pin, wheel, Vec2::Zero(), -1, Vec2::Zero());
  scene.join(JointKind::motor, wheel, Vec2::Zero(), -1, Vec2::Zero()).values["speed"] = 1.0;
  scene.join(JointKind::motor, wheel, Vec2::Zero(), -1, Vec2::Zero()).values["speed"] = 2.0;
  EXPECT_NE(refusal(scene).find("contradict"), std::string::npos);
}

TEST(Joints, open_joints_overlaps_and_other_bad_starts_are_refused_by_name) {
  MechanismScene open;
  const int bar = open.add_box(1.0, 0.1, Vec2(0.5, 0.0));
  open.join(JointKind::pin, bar, Vec2(-0.5, 0.0), -1, Vec2(0.3, 0.0)).name = "hinge";
  EXPECT_NE(refusal(open).find("hinge"), std::string::npos);
  MechanismScene overlap;
  overlap.add_ground();
  overlap.add_box(1.0, 1.0, Vec2(0.0, 0.4));
  const std::string text = refusal(overlap);
  EXPECT_NE(text.find("overlaps"), std::string::npos) << text;
  EXPECT_NE(text.find("0.1 m"), std::string::npos) << text;
  MechanismScene across;  // no corner of one lies in the other
  across.add_box(1.0, 0.1, Vec2(0.0, 0.0));
  across.add_box(0.1, 1.0, Vec2(0.2, 0.1));
  EXPECT_NE(refusal(across).find("overlaps"), std::string::npos);
  MechanismScene itself;
  const int box = itself.add_box(1.0, 1.0, Vec2(0.0, 1.0));
  itself.join(JointKind::pin, box, Vec2::Zero(), box, Vec2::Zero());
  EXPECT_NE(refusal(itself).find("itself"), std::string::npos);
  MechanismScene massless;
  massless.body(massless.add_box(1.0, 1.0, Vec2(0.0, 1.0))).mass = 0.0;
  EXPECT_NE(refusal(massless).find("mass"), std::string::npos);
}

TEST(Joints, rods_and_ropes_without_length_are_refused_by_name) {
  for (const JointKind kind : {JointKind::rod, JointKind::rope}) {
    MechanismScene scene;
    const int bob = scene.add_disc(0.1, Vec2(0.0, -1.0));
    scene.join(kind, bob, Vec2::Zero(), -1, Vec2(0.0, -1.0)).name = "thread";
    const std::string text = refusal(scene);
    EXPECT_NE(text.find("thread"), std::string::npos) << text;
    EXPECT_NE(text.find("no length"), std::string::npos) << text;
  }
}

TEST(Joints, outlines_and_holes_that_cross_are_refused) {
  const std::vector<Vec2> square = {{0.0, 0.0}, {1.0, 0.0}, {1.0, 1.0}, {0.0, 1.0}};
  const auto refused = [](const std::vector<Vec2>& outer, std::vector<std::vector<Vec2>> holes) {
    shape::PlaneRegion region;
    region.thickness = 1.0;
    region.polygons = {{outer, std::move(holes)}};
    return !shape::make_plane_region(region);
  };
  EXPECT_FALSE(refused(square, {{{0.2, 0.2}, {0.8, 0.2}, {0.5, 0.7}}}));
  EXPECT_TRUE(refused({{0.0, 0.0}, {2.0, 0.0}, {2.0, 1.0}, {0.5, -0.5}, {0.0, 1.0}}, {}));
  EXPECT_TRUE(refused(square, {{{0.2, 0.2}, {1.8, 0.2}, {0.5, 0.7}}}));
  EXPECT_TRUE(refused(square, {{{2.2, 0.2}, {2.8, 0.2}, {2.5, 0.7}}}));
}

TEST(Joints, an_overlapping_start_is_corrected_on_request) {
  MechanismScene scene;
  scene.settings["repair_start"] = true;
  scene.add_ground();
  const int box = scene.add_box(1.0, 1.0, Vec2(0.0, 0.4));
  scene.prepared();
  EXPECT_NEAR(scene.position(box).y(), 0.5, 1e-5);
  EXPECT_GE(scene.position(box).y(), 0.5);
}

TEST(Joints, planks_pinned_exactly_straight_are_named_with_a_remedy) {
  for (const double size : {1e-3, 1.0, 10.0}) {
    MechanismScene scene;
    std::vector<int> planks;
    for (int k = 0; k < 6; ++k)
      planks.push_back(scene.add_box(0.98 * size, 0.1 * size, Vec2((k + 0.5) * size, 0.0)));
    const Vec2 left(-0.5 * size, 0.0), right(0.5 * size, 0.0);
    scene.join(JointKind::pin, planks[0], left, -1, Vec2::Zero());
    for (std::size_t k = 1; k < planks.size(); ++k)
      scene.join(JointKind::pin, planks[k], left, planks[k - 1], right);
    scene.join(JointKind::pin, planks.back(), right, -1, Vec2(6.0 * size, 0.0));
    scene.prepared();
    const StepReport report = scene.run(1.0);
    EXPECT_EQ(report.status, RunStatus::stuck);
    EXPECT_NE(report.why.find("pin 0"), std::string::npos) << report.why;
    EXPECT_NE(report.remedy.find("one end that slides"), std::string::npos) << report.why;
  }
}

}  // namespace
}  // namespace repose::mechanism
