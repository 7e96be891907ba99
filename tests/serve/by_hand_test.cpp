// What hands did: written as text, done again, branched, saved, opened and left in mid-step.
#include "serve/by_hand.h"

#include <atomic>
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>

#include "repose/base/json.h"
#include "repose/base/stage_clock.h"
#include "repose/base/stage_interrupt.h"
#include "repose/base/work.h"
#include "repose/record/recording.h"
#include "repose/run/catalogue.h"
#include "repose/run/edits.h"
#include "repose/run/loop.h"

#include "places.h"
#include "serve/desk.h"
#include "serve/requests.h"

namespace repose::serve {
namespace {

std::filesystem::path folder(const char* name) {
  const auto out = tests::own_path("by-hand") / name;
  std::filesystem::remove_all(out);
  return out;
}

Desk desk_of(const std::string& scene, const char* name) {
  Desk out(folder(name));
  const auto done = out.open(scene);
  EXPECT_TRUE(done) << done.error().text();
  return out;
}

std::string hash(const Desk& desk) {
  return state_hash(desk.session().state());
}

/// Runs a saved recording's scene to its end.
std::string replayed_hash(const std::string& path) {
  const auto recording = Recording::open(path);
  EXPECT_TRUE(recording);
  auto scene = scene_from_text(recording->head().scene_text, "scene.json", method_catalogue());
  EXPECT_TRUE(scene) << scene.error().text();
  auto world = build_world(*scene);
  EXPECT_TRUE(world) << world.error().text();
  const auto method = find_method(scene->method.kind);
  auto session = Session::start(world->problem, world->state, **method, scene->method.settings);
  EXPECT_TRUE(session) << session.error().text();
  RunObserver nobody;
  RunLimits limits;
  limits.to_the_last_event = true;
  const auto outcome = run_to_end(*session, limits, nobody);
  EXPECT_TRUE(outcome) << outcome.error().text();
  return state_hash(session->state());
}

Edit force_edit(const std::string& name, SettingValues values) {
  Edit out;
  out.kind = EditKind::add;
  out.target = name;
  out.values = std::move(values);
  return out;
}
std::array<double, 3> at(double x, double y, double z) {
  return {x, y, z};
}

TEST(by_hand, pulls_and_edits_of_a_mechanism_are_done_again_to_the_last_bit) {
  Desk desk = desk_of("mechanism/moving-boxes", "mechanism");
  ASSERT_TRUE(desk.apply(set_parameter("step_time", 0.004)));
  for (int k = 0; k < 10; ++k) desk.step();
  const Vec3 from = desk.session().state().bodies[1].world_from_body.position;
  const std::string name = desk.session().problem().bodies[1].name;
  for (int k = 0; k < 12; ++k) {
    ASSERT_TRUE(desk.grab(1, name, from, from + 0.1 * k * Vec3::UnitY(), 0.0));
    desk.step();
  }
  desk.release(1);
  for (int k = 0; k < 5; ++k) desk.step();
  Edit join;
  join.kind = EditKind::join;
  join.target = "tie";
  join.values = {{"joint", std::string("spring")},
                 {"body_a", name},
                 {"stiffness", 50.0},
                 {"length", 0.5},
                 {"point_b", at(0, 2, 0)}};
  ASSERT_TRUE(desk.apply(join));
  for (int k = 0; k < 20; ++k) desk.step();
  const auto saved = desk.save("pulled");
  ASSERT_TRUE(saved) << saved.error().text();
  EXPECT_EQ(replayed_hash(*saved), hash(desk));
}

TEST(by_hand, bodies_set_down_by_hand_are_set_down_again) {
  Desk desk = desk_of("place/torus-on-cone", "place");
  for (int k = 0; k < 3; ++k) desk.step();
  ASSERT_TRUE(desk.let_go("torus", {Vec3(0.05, 0.0, 1.2), Quat::Identity()}));
  for (int k = 0; k < 4; ++k) desk.step();
  const auto body = JsonDocument::parse(
      R"({"name": "ball", "shape": {"kind": "ball", "radius": 0.1}})", "message");
  ASSERT_TRUE(desk.add((*body)->root()));
  for (int k = 0; k < 4; ++k) desk.step();
  ASSERT_TRUE(desk.apply(remove("ball")));
  ASSERT_TRUE(desk.add((*body)->root())) << "under another name";
  desk.step();
  const auto saved = desk.save("set-down");
  ASSERT_TRUE(saved) << saved.error().text();
  EXPECT_EQ(replayed_hash(*saved), hash(desk));
}

TEST(by_hand, a_jam_after_which_hands_went_on_does_not_end_it) {
  Desk desk = desk_of("mechanism/arch", "jammed");
  desk.run();
  for (int k = 0; k < 300 && desk.running(); ++k) desk.step();
  ASSERT_FALSE(desk.running());
  for (int k = 0; k < 20; ++k) desk.step();
  const auto saved = desk.save("jammed");
  ASSERT_TRUE(saved);
  EXPECT_EQ(replayed_hash(*saved), hash(desk));
  const std::string end = hash(desk);
  ASSERT_TRUE(desk.open_saved("jammed"));
  for (int k = 0; k < 1000 && desk.running(); ++k) desk.step();
  EXPECT_EQ(hash(desk), end);
}

TEST(by_hand, what_was_undone_is_not_done_again) {
  Desk desk = desk_of("mechanism/four-bar", "undone");
  desk.step();
  ASSERT_TRUE(desk.apply(set_parameter("step_time", 0.004)));
  desk.step();
  desk.undo();
  desk.undo();
  for (int k = 0; k < 4; ++k) desk.step();
  EXPECT_EQ(desk.scene_text().find("0.004"), std::string::npos);
  const auto saved = desk.save("undone");
  ASSERT_TRUE(saved);
  EXPECT_EQ(replayed_hash(*saved), hash(desk));
}

TEST(by_hand, changes_before_the_first_step_change_the_text_itself) {
  Desk desk = desk_of("place/torus-on-cone", "text");
  ASSERT_TRUE(desk.apply(reposition("torus", {Vec3(0.0, 0.0, 3.25), Quat::Identity()})));
  ASSERT_TRUE(desk.apply(set_parameter("max_steps", std::int64_t{321})));
  ASSERT_TRUE(desk.apply(force_edit("wind", {{"force", std::string("push")},
                                             {"body_a", std::string("torus")},
                                             {"vector", at(1, 0, 0)}})));
  const std::string text = desk.scene_text();
  const auto read = scene_from_text(text, "scene.json", method_catalogue());
  ASSERT_TRUE(read) << read.error().text() << text;
  EXPECT_TRUE(read->events.empty()) << text;
  EXPECT_EQ(read->forces.size(), 1u);
  EXPECT_NE(text.find("3.25"), std::string::npos);
  EXPECT_NE(text.find("321"), std::string::npos);
  // later ones are events at their step
  desk.step();
  ASSERT_TRUE(desk.apply(nudge("torus", Vec3(0.0, 0.0, 0.01))));
  const auto later = scene_from_text(desk.scene_text(), "scene.json", method_catalogue());
  ASSERT_TRUE(later) << later.error().text();
  ASSERT_EQ(later->events.size(), 1u);
  EXPECT_EQ(later->events.front().at_step, 1);
  ASSERT_TRUE(desk.open_text(desk.scene_text()));
}

TEST(by_hand, forces_act_and_wrong_ones_are_refused) {
  Desk desk = desk_of("place/torus-on-cone", "forces");
  const std::string torus = "torus";
  EXPECT_FALSE(desk.apply(force_edit("a", {{"force", std::string("push")}, {"body_a", torus}})));
  EXPECT_FALSE(desk.apply(force_edit("a", {{"force", std::string("attract")}, {"body_a", torus}})));
  EXPECT_FALSE(desk.apply(
      force_edit("a", {{"force", std::string("connect")}, {"body_a", std::string("none")}})));
  EXPECT_FALSE(
      desk.apply(force_edit("torus", {{"force", std::string("connect")}, {"body_a", torus}})));
  EXPECT_FALSE(desk.apply(force_edit("a", {{"force", std::string("spring")}, {"body_a", torus}})));
  ASSERT_TRUE(desk.apply(force_edit("a", {{"force", std::string("connect")},
                                          {"body_a", torus},
                                          {"point_b", at(0, 0, 4)},
                                          {"strength", 3.0}})));
  const double before = desk.session().state().bodies[1].world_from_body.position.z();
  for (int k = 0; k < 5; ++k) desk.step();
  double after = 0.0;
  const int body = desk.session().problem().find_body("torus");
  after =
      desk.session().state().bodies[static_cast<std::size_t>(body)].world_from_body.position.z();
  EXPECT_GT(after, before) << "drawn up against its weight";
  ASSERT_TRUE(desk.apply(remove("a")));
  EXPECT_TRUE(desk.session().problem().forces.empty());
}

TEST(by_hand, branches_go_their_own_ways_and_stay) {
  Desk desk = desk_of("mechanism/four-bar", "branches");
  for (int k = 0; k < 5; ++k) desk.step();
  const std::string here = hash(desk);
  ASSERT_TRUE(desk.branch());
  EXPECT_EQ(hash(desk), here);
  for (int k = 0; k < 5; ++k) desk.step();
  const std::string second = hash(desk);
  ASSERT_TRUE(desk.go_to_branch(0));
  EXPECT_EQ(hash(desk), here);
  EXPECT_EQ(desk.undo(), 1) << "what was done there can be undone";
  ASSERT_TRUE(desk.go_to_branch(1));
  EXPECT_EQ(hash(desk), second);
  EXPECT_FALSE(desk.go_to_branch(2));
  const auto saved = desk.save("branched");
  ASSERT_TRUE(saved);
  EXPECT_EQ(replayed_hash(*saved), second);
}

TEST(by_hand, a_saved_session_is_opened_where_it_was_left) {
  Desk desk = desk_of("mechanism/moving-boxes", "saved");
  for (int k = 0; k < 5; ++k) desk.step();
  ASSERT_TRUE(desk.apply(set_parameter("step_time", 0.004)));
  for (int k = 0; k < 5; ++k) desk.step();
  ASSERT_TRUE(desk.save("first"));
  const std::string end = hash(desk);
  ASSERT_TRUE(desk.open("mechanism/four-bar"));
  EXPECT_EQ(desk.saved(), std::vector<std::string>{"first"});
  EXPECT_FALSE(desk.open_saved("../first"));
  EXPECT_FALSE(desk.open_saved("second"));
  ASSERT_TRUE(desk.open_saved("first"));
  for (int k = 0; k < 100 && desk.running(); ++k) desk.step();
  EXPECT_EQ(hash(desk), end);
  desk.step();
  EXPECT_NE(hash(desk), end) << "it goes on from there";
}

TEST(by_hand, a_step_under_way_is_left_and_all_is_as_before_it) {
  Desk desk = desk_of("mechanism/moving-boxes", "interrupted");
  desk.step();
  const std::string before = hash(desk);
  std::atomic<bool> interrupt = true;
  desk.watch(interrupt);
  desk.run();
  desk.step();
  EXPECT_EQ(hash(desk), before);
  EXPECT_FALSE(desk.running());
  interrupt = false;
  Desk other = desk_of("mechanism/moving-boxes", "uninterrupted");
  other.step();
  for (int k = 0; k < 3; ++k) {
    desk.step();
    other.step();
  }
  EXPECT_EQ(hash(desk), hash(other)) << "as if nothing had been";
}

TEST(by_hand, stages_end_where_the_flag_is_set) {
  std::atomic<bool> flag = false;
  const StageInterrupt watch(flag);
  const auto stage = [] { const StageScope timed("some stage"); };
  stage();
  flag = true;
  EXPECT_THROW(stage(), Interrupted);
  const std::atomic<bool> never = false;
  const StageInterrupt calm(never);
  stage();
}

TEST(by_hand, interrupts_are_told_from_other_messages) {
  EXPECT_TRUE(is_interrupt(R"({"id": 3, "do": "interrupt"})"));
  EXPECT_FALSE(is_interrupt(R"({"id": 3, "do": "pause", "what": "interrupt"})"));
  EXPECT_FALSE(is_interrupt("interrupt"));
  EXPECT_FALSE(is_interrupt("[]"));
}

TEST(by_hand, a_run_pauses_where_its_scene_ends_and_may_go_on) {
  Desk desk(folder("limit"));
  ASSERT_TRUE(desk.open_text(
      R"({"repose": 1, "gravity": [0, -9.81, 0], "limits": {"duration": 0.05},
          "bodies": [{"name": "box", "shape": {"kind": "plane_region", "polygons":
            [{"outer": [[0, 0], [1, 0], [1, 1], [0, 1]]}]}}],
          "method": {"kind": "mechanism", "step_time": 0.01}})"));
  desk.run();
  for (int k = 0; k < 50 && desk.running(); ++k) desk.step();
  EXPECT_EQ(desk.session().state().step, 5);
  desk.run();
  desk.step();
  EXPECT_TRUE(desk.running());
}

}  // namespace
}  // namespace repose::serve
