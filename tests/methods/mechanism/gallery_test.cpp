// The scenes of the gallery as the tool runs them.
#include "repose/scene/gallery.h"

#include <cmath>

#include <gtest/gtest.h>

#include "repose/run/catalogue.h"
#include "repose/run/session.h"
#include "repose/scene/scene.h"

namespace repose {
namespace {

constexpr double kDriftAllowed = 1e-6;  // of body size

Session session_of(const std::string& name) {
  auto scene = open_scene("mechanism/" + name, method_catalogue());
  EXPECT_TRUE(scene) << (scene ? "" : scene.error().text());
  auto world = build_world(*scene);
  EXPECT_TRUE(world) << (world ? "" : world.error().text());
  auto session = Session::start(world->problem, world->state, **find_method("mechanism"),
                                scene->method.settings);
  EXPECT_TRUE(session) << (session ? "" : session.error().text());
  return std::move(*session);
}

const BodyState& body(const Session& session, const std::string& name) {
  return session.state().bodies[static_cast<std::size_t>(session.problem().find_body(name))];
}

double turn(const Session& session, const std::string& name) {
  const Quat& q = body(session, name).world_from_body.rotation;
  return 2.0 * std::atan2(q.z(), q.w());
}

std::string fact(Session& session, const std::string& name) {
  for (const auto& [key, value] : session.facts())
    if (key == name) return value.line();
  return "";
}

/// Steps to a time, with no overlap on the way; the last report.
StepReport run(Session& session, double until) {
  StepReport report;
  while (session.state().time < until && report.status == RunStatus::moving) {
    auto stepped = session.step();
    EXPECT_TRUE(stepped) << (stepped ? "" : stepped.error().text());
    if (!stepped) break;
    report = *stepped;
    EXPECT_GE(session.audit().worst_gap, 0.0) << "at " << session.state().time;
  }
  const std::string forces = fact(session, "forces");
  EXPECT_NE(forces.find("\"not_converged\": 0"), std::string::npos) << forces;
  EXPECT_LE(std::stod(forces.substr(forces.find("worst_residual") + 16)), 1e-10) << forces;
  const std::string joints = fact(session, "joints");
  EXPECT_LT(std::stod(joints.substr(joints.find("drift_relative") + 16)), kDriftAllowed) << joints;
  return report;
}

TEST(MechanismGallery, every_promised_scene_starts) {
  for (const char* name :
       {"block-feeder", "feeder-jam-design", "feeder-jam-blocks", "double-action-jack", "four-bar",
        "slider-crank", "geneva-drive", "escapement", "gear-train", "card-house", "wall-20",
        "newtons-cradle", "arch", "drawer", "ladder", "catenary", "moving-boxes"}) {
    Session session = session_of(name);
    EXPECT_TRUE(session.step()) << name;
  }
}

TEST(MechanismGallery, what_should_stand_comes_to_rest) {
  for (const char* name : {"arch", "ladder", "card-house", "wall-20"}) {
    Session session = session_of(name);
    EXPECT_EQ(run(session, 1.0).status, RunStatus::rest) << name;
  }
}

TEST(MechanismGallery, the_feeder_feeds_every_block_in_a_minute) {
  Session session = session_of("block-feeder");
  const StepReport report = run(session, 60.0);
  EXPECT_EQ(report.status, RunStatus::moving) << report.why;
  for (int k = 1; k <= 8; ++k)
    EXPECT_GT(body(session, "block-" + std::to_string(k)).world_from_body.position.x(), 0.424 + 0.2)
        << k;
}

TEST(MechanismGallery, a_feeder_with_a_low_opening_jams_at_the_wall) {
  Session session = session_of("feeder-jam-design");
  EXPECT_EQ(run(session, 20.0).status, RunStatus::jammed);
  const std::string jam = fact(session, "jam");
  for (const char* name : {"pusher", "block-1", "hopper"})
    EXPECT_NE(jam.find(name), std::string::npos) << name << " in " << jam;
  for (const char* name : {"block-3", "block-4", "block-5"})
    EXPECT_EQ(jam.find(name), std::string::npos) << name << " in " << jam;
}

TEST(MechanismGallery, a_feeder_with_upright_blocks_jams_between_them) {
  Session session = session_of("feeder-jam-blocks");
  EXPECT_EQ(run(session, 20.0).status, RunStatus::jammed);
  const std::string jam = fact(session, "jam");
  for (const char* name : {"pusher", "block-1", "block-2", "hopper"})
    EXPECT_NE(jam.find(name), std::string::npos) << name << " in " << jam;
  EXPECT_EQ(jam.find("block-5"), std::string::npos) << jam;
}

TEST(MechanismGallery, the_jack_lifts_its_load_at_both_strokes) {
  Session session = session_of("double-action-jack");
  double before = body(session, "load").world_from_body.position.y();
  for (const double until : {3.0, 6.0, 9.0}) {
    run(session, until);
    const double now = body(session, "load").world_from_body.position.y();
    EXPECT_GT(now, before + 0.1) << until;
    before = now;
  }
}

TEST(MechanismGallery, the_jack_jams_under_a_ceiling_and_names_it) {
  auto scene = open_scene("mechanism/double-action-jack", method_catalogue());
  ASSERT_TRUE(scene);
  auto world = build_world(*scene);
  ASSERT_TRUE(world);
  // a second stand above the load, in the load's layer
  const auto stand = static_cast<std::size_t>(world->problem.find_body("stand"));
  Body ceiling = world->problem.bodies[stand];
  ceiling.name = "ceiling";
  ceiling.layer = 2;
  ceiling.id.index = static_cast<std::uint32_t>(world->problem.bodies.size());
  BodyState above = world->state.bodies[stand];
  above.world_from_body.position.y() = 2.05;  // its lower side at 1.15
  world->problem.bodies.push_back(ceiling);
  world->state.bodies.push_back(above);
  auto session = Session::start(world->problem, world->state, **find_method("mechanism"),
                                scene->method.settings);
  ASSERT_TRUE(session) << (session ? "" : session.error().text());
  const StepReport report = run(*session, 9.0);
  EXPECT_EQ(report.status, RunStatus::jammed) << report.why;
  EXPECT_NE(report.why.find("load on ceiling"), std::string::npos) << report.why;
  EXPECT_NE(report.why.find("pawl-left on rack"), std::string::npos) << report.why;
  EXPECT_NE(fact(*session, "jam").find("\"ceiling\""), std::string::npos);
}

TEST(MechanismGallery, a_machine_is_changed_while_it_runs) {
  Session session = session_of("four-bar");
  run(session, 0.5);
  const auto change = [&](EditKind kind, const std::string& target, SettingValues values = {}) {
    Edit edit;
    edit.kind = kind;
    edit.target = target;
    edit.values = std::move(values);
    const auto done = session.apply(edit);
    EXPECT_TRUE(done) << name_of(kind) << ": " << (done ? "" : done.error().text());
    run(session, session.state().time + 0.2);
  };
  change(EditKind::material, "rocker", {{"friction", 0.9}});
  change(EditKind::join, "tie",
         {{"joint", std::string("rope")},
          {"body_a", std::string("rocker")},
          {"body_b", std::string("crank")},
          {"length", 20.0}});
  change(EditKind::remove, "tie");
  const std::string motor = [&] {
    for (const Joint& j : session.problem().joints)
      if (j.kind == JointKind::motor) return j.name;
    return std::string();
  }();
  ASSERT_FALSE(motor.empty());
  change(EditKind::remove, motor);
  change(EditKind::freeze, "crank", {{"turn_z", true}});
  EXPECT_NEAR(body(session, "rocker").angular_velocity.norm(), 0.0, 1e-12);
  change(EditKind::remove, "coupler");
  EXPECT_EQ(session.problem().find_body("coupler"), -1);
}

TEST(MechanismGallery, the_geneva_wheel_turns_a_quarter_for_each_turn_of_the_driver) {
  Session session = session_of("geneva-drive");
  const double period = M_PI;
  run(session, 0.05);
  const double first = turn(session, "wheel");
  run(session, period + 0.05);
  const double quarter = std::remainder(turn(session, "wheel") - first, 2.0 * M_PI);
  EXPECT_NEAR(std::fabs(quarter), 0.5 * M_PI, 0.02);
}

TEST(MechanismGallery, the_escapement_lets_one_tooth_go_for_each_swing) {
  Session session = session_of("escapement");
  double last = turn(session, "wheel"), turned = 0.0;
  int crossings = 0;
  double side = turn(session, "pendulum");
  while (session.state().time < 12.0) {
    ASSERT_TRUE(session.step());
    const double now = turn(session, "wheel");
    turned += std::remainder(now - last, 2.0 * M_PI);
    last = now;
    if (session.state().time > 2.0 && turn(session, "pendulum") * side < 0.0) ++crossings;
    if (session.state().time <= 2.0) turned = 0.0;
    side = turn(session, "pendulum");
  }
  // two crossings of the middle for a swing to and fro, which lets one of 20 teeth go
  EXPECT_GT(crossings, 8);
  EXPECT_NEAR(-turned / (2.0 * M_PI / 20.0), 0.5 * crossings, 1.0);
}

TEST(MechanismGallery, edits_while_it_runs_are_obeyed_and_undone) {
  Session session = session_of("four-bar");
  session.keep_states(100);
  for (int k = 0; k < 20; ++k) ASSERT_TRUE(session.step());
  const std::string before = state_hash(session.state());
  Edit remove;
  remove.kind = EditKind::remove;
  remove.target = "coupler-rocker";
  ASSERT_TRUE(session.apply(remove));
  Edit join;
  join.kind = EditKind::join;
  join.target = "held";
  join.values["joint"] = std::string("weld");
  join.values["body_a"] = std::string("rocker");
  const auto joined = session.apply(join);
  ASSERT_TRUE(joined) << joined.error().text();
  Edit material;
  material.kind = EditKind::material;
  material.target = "coupler";
  material.values["density"] = 100.0;
  ASSERT_TRUE(session.apply(material));
  const double held = turn(session, "rocker");
  for (int k = 0; k < 40; ++k) ASSERT_TRUE(session.step());
  EXPECT_NEAR(turn(session, "rocker"), held, 1e-9);
  session.undo(43);
  EXPECT_EQ(state_hash(session.state()), before);
  ASSERT_TRUE(session.step());
  EXPECT_GT(std::fabs(turn(session, "rocker") - held), 1e-6);
}

}  // namespace
}  // namespace repose
