#include "repose/check/verdict.h"
#include "repose/run/judge_input.h"

#include "mechanism_scene.h"

namespace repose::mechanism {
namespace {

double gap_now(MechanismScene& scene) {
  return scene.method->audit(scene.problem, scene.state).worst_gap;
}

std::string fact(MechanismScene& scene, const std::string& name) {
  for (const auto& [key, value] : scene.method->facts(scene.problem, scene.state))
    if (key == name) return value.line();
  return "";
}

check::Verdict judged(const MechanismScene& scene) {
  check::Settings settings;
  settings.judge_balance = settings.judge_stability = false;
  return check::check(judge_input(scene.problem, scene.state), settings);
}

TEST(Mechanism, a_bullet_a_thousand_lengths_per_step_never_passes_a_wall) {
  // lengths 0.1 in a wall of 1: one tenth of the thickness; spinning, at several angles and offsets
  for (int round = 0; round < 40; ++round) {
    MechanismScene scene;
    scene.problem.gravity = Vec3::Zero();
    scene.settings["step_time"] = 0.01;
    scene.add_box(1.0, 400.0, Vec2(0.0, 0.0), 0.0, true);
    const double speed = 1000.0 * 0.1 / 0.01, angle = 0.04 * (round % 10);
    const int bullet = scene.add_box(0.1, 0.06, Vec2(-5.0 - 1.7 * round, -1.0), 0.3 * round);
    scene.at(bullet).velocity = Vec3(speed * std::cos(angle), speed * std::sin(angle), 0.0);
    scene.at(bullet).angular_velocity = Vec3(0.0, 0.0, 40.0 * (round % 7));
    scene.material(bullet, round % 2 == 0 ? 0.0 : 0.5, round % 3 == 0 ? 1.0 : 0.0);
    scene.prepared();
    for (int k = 0; k < 5; ++k) {
      scene.step();
      EXPECT_LT(scene.position(bullet).x(), -0.5) << round;
      EXPECT_GE(gap_now(scene), 0.0);
    }
  }
}

TEST(Mechanism, a_disc_shot_between_two_closing_walls_stays_between_them) {
  MechanismScene scene;
  scene.problem.gravity = Vec3::Zero();
  const int left = scene.add_box(0.2, 2.0, Vec2(-1.0, 0.0), 0.0, true);
  const int right = scene.add_box(0.2, 2.0, Vec2(1.0, 0.0), 0.0, true);
  const int disc = scene.add_disc(0.05, Vec2(0.0, 0.0));
  for (const int body : {left, right, disc}) scene.material(body, 0.0, 1.0);
  scene.at(disc).velocity = Vec3(5000.0, 0.0, 0.0);
  scene.prepared();
  for (int k = 0; k < 20; ++k) {
    const StepReport report = scene.step();
    EXPECT_EQ(report.status, RunStatus::moving) << report.why;
    EXPECT_LT(std::fabs(scene.position(disc).x()), 0.85);
  }
  EXPECT_NEAR(scene.at(disc).velocity.norm(), 5000.0, 1e-6);
}

TEST(Mechanism, newtons_cradle_differs_by_the_law_of_blows) {
  for (const bool sequential : {true, false}) {
    MechanismScene scene;
    scene.problem.gravity = Vec3::Zero();
    scene.settings["blows"] = std::string(sequential ? "sequential" : "simultaneous");
    std::vector<int> balls;
    for (int k = 0; k < 4; ++k) {
      balls.push_back(scene.add_disc(0.1, Vec2(0.2 * k, 0.0)));
      scene.material(balls.back(), 0.0, 1.0);
    }
    const int first = scene.add_disc(0.1, Vec2(-0.5, 0.0));
    scene.material(first, 0.0, 1.0);
    scene.at(first).velocity = Vec3(1.0, 0.0, 0.0);
    scene.prepared();
    scene.run(0.6);
    double momentum = 0.0, energy = 0.0;
    for (const int b : {first, balls[0], balls[1], balls[2], balls[3]}) {
      momentum += scene.at(b).velocity.x();
      energy += scene.at(b).velocity.squaredNorm();
    }
    EXPECT_NEAR(momentum, 1.0, 1e-9);
    if (sequential) {
      EXPECT_NEAR(scene.at(balls[3]).velocity.x(), 1.0, 1e-6);
      EXPECT_NEAR(energy, 1.0, 1e-6);
    } else {
      EXPECT_LT(scene.at(balls[3]).velocity.x(), 0.99);
    }
  }
}

TEST(Mechanism, a_stack_stays_at_rest_and_the_judge_finds_no_overlap) {
  MechanismScene scene;
  scene.add_ground();
  for (int k = 0; k < 10; ++k) scene.add_box(1.0 - 0.03 * k, 0.5, Vec2(0.02 * k, 0.25 + 0.5 * k));
  scene.prepared();
  const StepReport report = scene.run(2.0);
  EXPECT_EQ(report.status, RunStatus::rest) << report.why;
  EXPECT_EQ(judged(scene).overlap, check::Answer::proven);
}

TEST(Mechanism, falling_boxes_never_overlap_at_any_step) {
  MechanismScene scene;
  scene.add_ground();
  scene.add_box(0.3, 6.0, Vec2(-1.5, 3.0), 0.0, true);
  scene.add_box(0.3, 6.0, Vec2(1.5, 3.0), 0.0, true);
  for (int k = 0; k < 12; ++k)
    scene.add_box(0.5, 0.3, Vec2(0.35 * ((k * 7) % 5 - 2), 0.6 + 0.62 * k), 0.37 * k);
  scene.prepared();
  for (int k = 0; k < 600; ++k) {
    const StepReport report = scene.step();
    ASSERT_GE(gap_now(scene), 0.0) << "step " << k;
    if (k % 20 == 0) {
      ASSERT_EQ(judged(scene).overlap, check::Answer::proven) << "step " << k;
    }
    if (report.status != RunStatus::moving) {
      EXPECT_EQ(report.status, RunStatus::rest) << report.why;
      break;
    }
  }
}

TEST(Mechanism, a_row_of_dominoes_falls_with_forces_good_to_1e_9_in_every_blow) {
  MechanismScene scene;
  scene.settings["step_time"] = 5e-3;
  scene.material(scene.add_ground(), 0.3, 0.0);
  constexpr double kTall = 1.0, kWide = 0.2;  // m
  int first = -1, last = -1;
  for (int i = 0; i < 35; ++i) {
    last = scene.add_box(kWide, kTall, Vec2((i - 17) * 0.5, 0.5 * kTall + 1e-6));
    scene.material(last, 0.3, 0.0);
    if (i == 0) first = last;
  }
  scene.at(first).velocity = Vec3(1.0, 0.0, 0.0);
  scene.at(first).angular_velocity = Vec3(0.0, 0.0, -2.0);
  scene.prepared();
  while (scene.state.time < 8.0)
    if (scene.step().status != RunStatus::moving) break;
  EXPECT_GT(std::fabs(scene.turn(last)), 0.5);
  double worst = 1.0;
  for (const auto& [name, fact] : scene.method->facts(scene.problem, scene.state))
    if (name == "forces") worst = std::stod(fact.line().substr(fact.line().find("residual") + 10));
  EXPECT_LT(worst, 1e-9);
}

TEST(Mechanism, a_first_order_world_moves_at_the_speed_of_its_force) {
  MechanismScene scene;
  scene.settings["order"] = std::string("first");
  const int box = scene.add_box(1.0, 1.0, Vec2(0.0, 5.0));
  scene.prepared();
  scene.run(0.1);
  EXPECT_NEAR(scene.position(box).y(), 5.0 - 0.981, 1e-9);
  EXPECT_NEAR(scene.at(box).velocity.y(), -9.81, 1e-9);
  MechanismScene stop;
  stop.settings["order"] = std::string("first");
  stop.add_ground();
  const int falls = stop.add_box(1.0, 1.0, Vec2(0.0, 1.0));
  stop.prepared();
  const StepReport report = stop.run(2.0);
  EXPECT_EQ(report.status, RunStatus::rest) << report.why;
  EXPECT_NEAR(stop.position(falls).y(), 0.5, 1e-5);
}

TEST(Mechanism, frozen_freedoms_do_not_move) {
  MechanismScene scene;
  const int box = scene.add_box(1.0, 1.0, Vec2(0.0, 5.0));
  scene.body(box).frozen[1] = true;
  scene.at(box).velocity = Vec3(1.0, 1.0, 0.0);
  scene.prepared();
  scene.run(0.5);
  EXPECT_NEAR(scene.position(box).x(), 0.5, 1e-12);
  EXPECT_EQ(scene.position(box).y(), 5.0);
}

TEST(Mechanism, layers_pass_each_other) {
  MechanismScene scene;
  scene.add_ground();
  const int box = scene.add_box(1.0, 1.0, Vec2(0.0, 1.0));
  scene.body(box).layer = 1;
  scene.prepared();
  scene.run(1.0);
  EXPECT_LT(scene.position(box).y(), -3.0);
}

/// A crank that its motor turns whatever is in the way.
int add_driven_crank(MechanismScene& scene) {
  const int crank = scene.add_box(1.0, 0.1, Vec2(0.5, 0.0));
  scene.join(JointKind::pin, crank, Vec2(-0.5, 0.0), -1, Vec2::Zero());
  scene.join(JointKind::motor, crank, Vec2::Zero(), -1, Vec2::Zero()).values["speed"] = 2.0;
  return crank;
}

void expect_jam(MechanismScene& scene, const std::string& by) {
  scene.prepared();
  const StepReport report = scene.run(2.0);
  EXPECT_EQ(report.status, RunStatus::jammed) << report.why;
  EXPECT_NE(report.why.find(by), std::string::npos) << report.why;
  EXPECT_NE(report.remedy.find("max_torque"), std::string::npos) << report.remedy;
  EXPECT_GE(scene.method->audit(scene.problem, scene.state).worst_gap, 0.0);
  for (const Promise& promise : scene.method->promises(scene.problem, scene.state))
    EXPECT_TRUE(promise.kept) << promise.name << ": " << promise.measured;
}

TEST(Mechanism, a_motor_without_a_greatest_torque_jams_at_what_is_fixed) {
  MechanismScene scene;
  add_driven_crank(scene);
  const int post = scene.add_box(0.2, 0.2, Vec2(0.3, 0.9), 0.0, true);
  expect_jam(scene, scene.body(post).name + " on ");
  // the crank's upper side is 0.05 above its axis and meets the post's corner at (0.4, 0.8)
  EXPECT_NEAR(scene.turn(0), std::atan2(0.8, 0.4) - std::asin(0.05 / std::hypot(0.4, 0.8)), 1e-4);
}

TEST(Mechanism, a_motor_without_a_greatest_torque_jams_at_the_end_of_a_rope) {
  MechanismScene scene;
  const int crank = add_driven_crank(scene);
  Joint& rope = scene.join(JointKind::rope, crank, Vec2(0.5, 0.0), -1, Vec2(1.5, 0.0));
  rope.values["length"] = 1.0;
  const std::string name = rope.name;
  expect_jam(scene, name);
  // two sides 1 and 1.5 and the rope: 1 = 1 + 2.25 - 3 cos(t)
  EXPECT_NEAR(scene.turn(crank), std::acos(0.75), 1e-4);
}

TEST(Mechanism, a_motor_without_a_greatest_torque_jams_at_a_stop) {
  MechanismScene scene;
  add_driven_crank(scene);
  scene.problem.joints.front().values["angle_max"] = 0.7;
  expect_jam(scene, scene.problem.joints.front().name);
  EXPECT_NEAR(scene.turn(0), 0.7, 1e-4);
}

TEST(Mechanism, a_drawer_pulled_aside_jams_and_says_where) {
  MechanismScene scene;
  scene.problem.gravity = Vec3::Zero();
  scene.add_box(3.0, 0.2, Vec2(0.0, 0.606), 0.0, true);
  scene.add_box(3.0, 0.2, Vec2(0.0, -0.606), 0.0, true);
  const int drawer = scene.add_box(0.4, 1.0, Vec2(0.0, 0.0));
  Force pull;
  pull.kind = ForceKind::push;
  pull.body_a = scene.body(drawer).name;
  pull.point_a = Vec3(0.2, 0.46, 0.0);
  pull.vector = Vec3(1.0, 0.0, 0.0);
  scene.problem.forces.push_back(pull);
  scene.prepared();
  const StepReport report = scene.run(5.0);
  EXPECT_EQ(report.status, RunStatus::jammed) << report.why;
  const std::string jam = fact(scene, "jam");
  EXPECT_NE(jam.find("\"contacts\""), std::string::npos) << jam;
  EXPECT_NE(jam.find("body 0"), std::string::npos) << jam;
  EXPECT_NE(jam.find("body 1"), std::string::npos) << jam;
}

TEST(Mechanism, the_same_drawer_slides_out_with_less_friction) {
  MechanismScene scene;
  scene.problem.gravity = Vec3::Zero();
  scene.add_box(3.0, 0.2, Vec2(0.0, 0.606), 0.0, true);
  scene.add_box(3.0, 0.2, Vec2(0.0, -0.606), 0.0, true);
  const int drawer = scene.add_box(0.4, 1.0, Vec2(0.0, 0.0));
  scene.material(drawer, 0.2, 0.0);
  Force pull;
  pull.kind = ForceKind::push;
  pull.body_a = scene.body(drawer).name;
  pull.point_a = Vec3(0.2, 0.46, 0.0);
  pull.vector = Vec3(1.0, 0.0, 0.0);
  scene.problem.forces.push_back(pull);
  scene.prepared();
  scene.run(2.0);
  EXPECT_GT(scene.position(drawer).x(), 0.3);
}

TEST(Mechanism, a_dragged_box_cannot_be_pushed_through_another) {
  MechanismScene scene;
  scene.add_ground();
  scene.add_box(0.2, 2.0, Vec2(1.0, 1.0), 0.0, true);
  const int box = scene.add_box(0.4, 0.4, Vec2(0.0, 0.2));
  scene.prepared();
  Edit drag;
  drag.kind = EditKind::drag;
  drag.target = scene.body(box).name;
  drag.values["to"] = std::array<double, 3>{5.0, 0.3, 0.0};
  const auto applied = scene.method->apply(drag, scene.problem, scene.state);
  ASSERT_TRUE(applied);
  ASSERT_TRUE(scene.method->prepare(scene.problem, scene.state));
  StepReport report;
  for (int k = 0; k < 600 && report.status == RunStatus::moving; ++k) {
    report = scene.step();
    ASSERT_GE(gap_now(scene), 0.0);
    ASSERT_LT(scene.position(box).x(), 0.75);
  }
  EXPECT_EQ(report.status, RunStatus::jammed) << report.why;
  Edit release;
  release.kind = EditKind::release;
  release.target = scene.body(box).name;
  EXPECT_TRUE(scene.method->apply(release, scene.problem, scene.state));
  EXPECT_FALSE(scene.method->apply(release, scene.problem, scene.state));
}

TEST(Mechanism, runs_of_the_same_scene_agree_to_the_last_bit_with_either_broad_phase) {
  std::vector<std::string> hashes;
  for (const char* broad : {"sweep", "grid", "sweep"}) {
    MechanismScene scene;
    scene.settings["broad_phase"] = std::string(broad);
    scene.add_ground();
    for (int k = 0; k < 8; ++k)
      scene.add_box(0.5, 0.3, Vec2(0.1 * ((k * 5) % 3 - 1), 0.4 + 0.65 * k), 0.2 * k);
    scene.prepared();
    for (int k = 0; k < 150; ++k) scene.step();
    hashes.push_back(state_hash(scene.state));
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_EQ(hashes[0], hashes[2]);
}

}  // namespace
}  // namespace repose::mechanism
