#include "serve/desk.h"

#include <filesystem>
#include <numbers>

#include <gtest/gtest.h>

#include "repose/record/recording.h"
#include "repose/run/catalogue.h"
#include "repose/run/edits.h"
#include "repose/scene/gallery.h"

#include "places.h"

namespace repose::serve {
namespace {

Desk desk_of(const std::string& scene) {
  Desk out(tests::own_path("desk"));
  const auto done = out.open(scene);
  EXPECT_TRUE(done) << done.error().text();
  return out;
}

std::string hash(const Desk& desk) {
  return state_hash(desk.session().state());
}

TEST(desk, undo_takes_back_what_was_done_last_and_redo_brings_it_again) {
  Desk desk = desk_of("mechanism/four-bar");
  const std::string first = hash(desk);
  desk.run();
  for (int i = 0; i < 20; ++i) desk.step();
  desk.pause();
  const std::string ran = hash(desk);
  desk.step();
  const std::string stepped = hash(desk);
  EXPECT_EQ(desk.undo(), 1);
  EXPECT_EQ(hash(desk), ran);
  EXPECT_EQ(desk.undo(), 20);
  EXPECT_EQ(hash(desk), first);
  EXPECT_EQ(desk.undo(), 0);
  EXPECT_EQ(desk.redo(), 20);
  EXPECT_EQ(hash(desk), ran);
  EXPECT_EQ(desk.redo(), 1);
  EXPECT_EQ(hash(desk), stepped);
  ASSERT_TRUE(desk.reset());
  EXPECT_EQ(hash(desk), first);
}

TEST(desk, settings_change_while_it_runs_and_a_refusal_changes_nothing) {
  Desk desk = desk_of("mechanism/four-bar");
  desk.run();
  desk.step();
  const std::string before = hash(desk);
  EXPECT_FALSE(desk.apply(set_parameter("step_time", -1.0)));
  EXPECT_FALSE(desk.apply(set_parameter("no_such", 1.0)));
  EXPECT_EQ(hash(desk), before);
  ASSERT_TRUE(desk.apply(set_parameter("step_time", 0.002)));
  const double time = desk.session().state().time;
  desk.step();
  EXPECT_NEAR(desk.session().state().time - time, 0.002, 1e-12);
}

TEST(desk, matter_iterations_and_detection_of_soft_bodies_change_while_it_runs_and_come_back) {
  Desk desk = desk_of("molecule/box-on-ground-spheres");
  desk.run();
  for (int k = 0; k < 20; ++k) desk.step();
  desk.pause();
  const std::string before = hash(desk);
  const auto body = static_cast<std::size_t>(desk.session().problem().find_body("box"));
  const double mass = desk.session().problem().bodies[body].mass;
  Edit matter;
  matter.kind = EditKind::material;
  matter.target = "box";
  matter.values = {{"density", 2000.0}, {"young_modulus", 2e4}, {"friction", 0.1}};
  ASSERT_TRUE(desk.apply(matter));
  ASSERT_TRUE(desk.apply(set_parameter("iterations_per_second", 500.0)));
  ASSERT_TRUE(desk.apply(set_parameter("detection", std::string("skin"))));
  EXPECT_FALSE(desk.apply(set_parameter("detection", std::string("clouds"))));
  EXPECT_NE(desk.session().problem().bodies[body].mass, mass);
  const double time = desk.session().state().time;
  desk.step();
  EXPECT_NEAR(desk.session().state().time - time, 0.002, 1e-12);
  for (int k = 0; k < 20; ++k) desk.step();
  EXPECT_EQ(desk.judge().overlap, check::Answer::proven) << desk.judge().why;
  while (hash(desk) != before && desk.undo() > 0) {
  }
  EXPECT_EQ(hash(desk), before);
}

/// Values of a setting other than the one it has: of a number twice and half of it.
std::vector<SettingValue> other_values(const SettingInfo& row, const SettingValue& now) {
  if (const bool* flag = std::get_if<bool>(&now)) return {!*flag};
  if (const double* number = std::get_if<double>(&now)) return {2.0 * *number, 0.5 * *number};
  std::vector<SettingValue> out;
  for (const std::string& choice : row.choices) out.emplace_back(choice);
  return out;
}

/// What a page may ask at any moment: nothing of it may end as our own fault.
void ask_everything(Desk& desk) {
  EXPECT_FALSE(desk.apply(set_parameter("no_such_setting", 1.0))) << "refused, and set back";
  (void)desk.branch();  // refused where there are eight
  desk.undo_one();
  desk.redo_one();
}

TEST(desk, settings_that_were_taken_hold_again_after_undo_refusals_and_branches) {
  for (const char* scene : {"place/torus-on-cone", "pile/box-27", "mechanism/block-feeder",
                            "molecule/box-on-ground-spheres", "surfel/jelly"}) {
    Desk desk = desk_of(scene);
    for (int k = 0; k < 3; ++k) desk.step();
    for (const SettingInfo& row : (*find_method(desk.session().method().name()))->settings) {
      const SettingValue was = desk.session().settings().at(row.name);
      for (const SettingValue& value : other_values(row, was)) {
        if (!desk.apply(set_parameter(row.name, value))) continue;
        for (int k = 0; k < 2; ++k) desk.step();
        ask_everything(desk);
        EXPECT_TRUE(desk.apply(set_parameter(row.name, was))) << scene << ' ' << row.name;
      }
    }
  }
}

TEST(desk, a_run_in_which_the_papers_engine_let_bodies_in_goes_on_from_there) {
  Desk desk = desk_of("molecule/box-on-ground-spheres");
  ASSERT_TRUE(desk.apply(set_parameter("engine", std::string("paper"))));
  for (int k = 0; k < 60 && desk.judge().overlap != check::Answer::missed; ++k)
    for (int j = 0; j < 50; ++j) desk.step();
  ASSERT_EQ(desk.judge().overlap, check::Answer::missed) << "the box sinks in";
  ask_everything(desk);
  Edit heavier;
  heavier.kind = EditKind::material;
  heavier.target = "box";
  heavier.values = {{"density", 2000.0}};
  const auto done = desk.apply(heavier);
  EXPECT_TRUE(done) << done.error().text();
  ASSERT_TRUE(desk.apply(set_parameter("engine", std::string("proven"))));
  ask_everything(desk);
  desk.step();
  EXPECT_NE(desk.judge().overlap, check::Answer::proven) << "and the judge still says so";
}

TEST(desk, a_hand_turns_a_heavy_machine_by_its_light_crank) {
  // the block feeder without the hand of its scene: 2.7 kg lead 185 kg
  auto scene = open_scene("mechanism/block-feeder", method_catalogue());
  ASSERT_TRUE(scene) << scene.error().text();
  scene->events.clear();
  Desk desk(tests::own_path("crank"));
  ASSERT_TRUE(desk.open_text(write_scene(*scene), "feeder"));
  const Problem& problem = desk.session().problem();
  const auto crank = static_cast<std::size_t>(problem.find_body("crank")),
             pusher = static_cast<std::size_t>(problem.find_body("pusher"));
  const auto pose = [&](std::size_t body) {
    return desk.session().state().bodies[body].world_from_body;
  };
  const Vec3 grip(0.1305, 0.0, 0.0), pivot = pose(crank).position;
  const Vec3 from = pose(crank) * grip - pivot;
  const double begin = std::atan2(from.y(), from.x()), reach = from.norm();
  constexpr int kTurns = 3, kSteps = 500;  // of 0.01 s for a turn
  double farthest = 0.0, low = 1e9, high = -1e9;
  for (int k = 1; k <= kTurns * kSteps; ++k) {
    const double turn = begin + 2.0 * std::numbers::pi * k / kSteps;
    const Vec3 to = pivot + reach * Vec3(std::cos(turn), std::sin(turn), 0.0);
    const Vec3 at = pose(crank) * grip;
    ASSERT_TRUE(desk.grab(1, "crank", k == 1 ? std::optional(at) : std::nullopt, to, 0.0));
    desk.step();
    farthest = std::max(farthest, (pose(crank) * grip - to).head<2>().norm());
    low = std::min(low, pose(pusher).position.x());
    high = std::max(high, pose(pusher).position.x());
    if (k % 50 != 0) continue;
    const Judgement said = desk.judge();
    ASSERT_EQ(said.overlap, check::Answer::proven) << said.why;
  }
  EXPECT_LT(farthest, 0.5 * reach) << "the grip stays in the hand";
  EXPECT_GT(high - low, reach) << "and the pusher goes to and fro";
}

/// Pulls a body by hand towards a place far away and answers how far it came.
double pulled(const std::string& scene, const std::string& body, const Vec3& way, int steps) {
  Desk desk = desk_of(scene);
  const auto i = static_cast<std::size_t>(desk.session().problem().find_body(body));
  const auto place = [&] {
    const BodyState& state = desk.session().state().bodies[i];
    if (state.soft.empty()) return state.world_from_body.position;
    Vec3 sum = Vec3::Zero();
    for (const Vec3& point : state.soft.positions.view()) sum += point;
    return Vec3(sum / static_cast<double>(state.soft.size()));
  };
  const Vec3 before = place();
  const auto done = desk.grab(1, body, before, before + way, 0.0);
  EXPECT_TRUE(done) << done.error().text();
  for (int k = 0; k < steps; ++k) desk.step();
  const double gone = (place() - before).dot(way.normalized());
  EXPECT_EQ(desk.judge().overlap, check::Answer::proven) << desk.judge().why;
  desk.release(1);
  return gone;
}

TEST(desk, a_hand_pulls_bodies_of_the_plane_and_nothing_overlaps) {
  EXPECT_GT(pulled("mechanism/moving-boxes", "box-1", Vec3(0.0, 1.0, 0.0), 60), 0.1);
}

TEST(desk, a_hand_pulls_soft_bodies_and_nothing_overlaps) {
  EXPECT_GT(pulled("molecule/box-on-ground-spheres", "box", Vec3(0.0, 0.0, 1.0), 40), 0.01);
}

TEST(desk, a_hand_pulls_bodies_of_phyxels_and_nothing_overlaps) {
  EXPECT_GT(pulled("surfel/jelly", "soft", Vec3(0.0, 0.0, 1.0), 40), 0.001);
}

TEST(desk, a_hand_that_pushes_into_the_ground_stays_out_of_it) {
  pulled("molecule/box-on-ground-spheres", "box", Vec3(0.0, 0.0, -5.0), 60);
}

TEST(desk, states_gone_back_to_are_pulled_by_no_hand_of_old) {
  Desk desk = desk_of("molecule/box-on-ground-spheres");
  ASSERT_TRUE(desk.grab(1, "box", {}, Vec3(0.0, 0.0, 9.0), 0.0));
  for (int k = 0; k < 5; ++k) desk.step();
  ASSERT_GT(desk.undo_one(), 0);
  ASSERT_FALSE(desk.session().problem().forces.empty());
  desk.step();
  for (const Force& force : desk.session().problem().forces) EXPECT_NE(force.name, "drag box");
}

TEST(desk, what_hands_cannot_do_is_refused) {
  Desk still = desk_of("still/torus-on-cone");
  EXPECT_EQ(still.touch(), Touch::none);
  Desk place = desk_of("place/torus-on-cone");
  EXPECT_EQ(place.touch(), Touch::hold);
  EXPECT_FALSE(place.grab(1, "torus", {}, Vec3::Zero(), 0.0));
  Desk boxes = desk_of("mechanism/moving-boxes");
  EXPECT_FALSE(boxes.grab(1, "nobody", {}, Vec3::Zero(), 0.0));
  ASSERT_TRUE(boxes.grab(1, "box-1", {}, Vec3::Zero(), 0.0));
  EXPECT_FALSE(boxes.grab(2, "box-1", {}, Vec3::Zero(), 0.0));
}

TEST(desk, a_held_body_shows_where_it_would_overlap_and_settles_when_let_go) {
  Desk desk = desk_of("place/torus-on-cone");
  const int torus = desk.session().problem().find_body("torus");
  ASSERT_GE(torus, 0);
  Pose pose = desk.session().state().bodies[static_cast<std::size_t>(torus)].world_from_body;
  const std::string before = hash(desk);
  pose.position.z() -= 0.3;
  const auto meets = desk.probe(torus, pose);
  ASSERT_FALSE(meets.empty());
  EXPECT_TRUE(meets.front().overlaps);
  EXPECT_LT(meets.front().gap_upper, 0.0);
  EXPECT_LE(meets.front().gap_lower, meets.front().gap_upper);
  pose.position.z() += 1.3;
  EXPECT_TRUE(desk.probe(torus, pose).empty());
  EXPECT_EQ(hash(desk), before);
  ASSERT_TRUE(desk.let_go("torus", pose));
  EXPECT_TRUE(desk.running());
  for (int i = 0; i < 400 && desk.running(); ++i) desk.step();
  EXPECT_FALSE(desk.running());
  EXPECT_EQ(desk.judge().overlap, check::Answer::proven) << desk.judge().why;
}

TEST(desk, what_was_done_by_hand_is_saved_as_a_recording) {
  Desk desk = desk_of("mechanism/four-bar");
  desk.run();
  for (int i = 0; i < 12; ++i) desk.step();
  const auto path = desk.save("by-hand");
  ASSERT_TRUE(path) << path.error().text();
  const auto recording = Recording::open(*path);
  ASSERT_TRUE(recording) << recording.error().text();
  EXPECT_EQ(recording->frame_count(), 13);
  EXPECT_EQ(recording->head().method, "mechanism");
  for (const char* name : {"", "..", "a/b", ".hidden", "a b"})
    EXPECT_FALSE(desk.save(name)) << name;
}

TEST(desk, a_journal_goes_along_and_begins_anew_after_undo) {
  const auto out = tests::own_path("journal");
  std::filesystem::remove_all(out);
  Desk desk(out);
  ASSERT_TRUE(desk.open("mechanism/four-bar"));
  desk.keep_journal(true);
  const auto frames = [&] {
    const auto recording = Recording::open(out / "live" / "recording.repose");
    EXPECT_TRUE(recording) << recording.error().text();
    return recording ? recording->steps() : std::vector<long>{};
  };
  desk.run();
  for (int i = 0; i < 4; ++i) desk.step();
  desk.pause();
  EXPECT_EQ(frames(), (std::vector<long>{0, 1, 2, 3, 4}));
  desk.undo_one();
  desk.undo_one();
  EXPECT_EQ(frames(), (std::vector<long>{0, 1, 2, 3, 4}));
  ASSERT_TRUE(desk.apply(set_parameter("step_time", 0.002)));
  desk.step();
  EXPECT_EQ(frames(), (std::vector<long>{0, 1, 2, 2, 3}));
  ASSERT_TRUE(desk.open("mechanism/arch"));
  EXPECT_EQ(frames(), (std::vector<long>{0}));
  // the recording of the other scene has a folder of its own now; one of a single state has not
  const auto aside = Recording::open(out / "live-2" / "recording.repose");
  ASSERT_TRUE(aside) << aside.error().text();
  EXPECT_EQ(aside->steps(), (std::vector<long>{0, 1, 2, 2, 3}));
  ASSERT_TRUE(desk.open("mechanism/four-bar"));
  EXPECT_FALSE(std::filesystem::exists(out / "live-3"));
}

TEST(desk, a_journal_knows_what_hands_did_after_it_began) {
  const auto out = tests::own_path("journal-hands");
  std::filesystem::remove_all(out);
  Desk desk(out);
  ASSERT_TRUE(desk.open("mechanism/moving-boxes"));
  desk.keep_journal(true);
  const auto text = [&] {
    const auto recording = Recording::open(out / "live" / "recording.repose");
    EXPECT_TRUE(recording) << recording.error().text();
    return recording ? recording->head().scene_text : std::string();
  };
  const auto knows = [&](const char* word) { return text().find(word) != std::string::npos; };
  desk.step();
  Edit join;
  join.kind = EditKind::join;
  join.target = "nail";
  join.values = {{"joint", std::string("pin")},
                 {"body_a", std::string("box-1")},
                 {"point_a", std::array<double, 3>{0.0, 0.0, 0.0}}};
  ASSERT_TRUE(desk.apply(join));
  EXPECT_TRUE(knows("nail")) << "with the state that has it";
  desk.run();
  for (int k = 0; k < 3; ++k) {
    ASSERT_TRUE(desk.grab(1, "box-2", {}, Vec3(0.0, 1.0 + k, 0.0), 0.0));
    desk.step();
  }
  desk.pause();
  EXPECT_TRUE(knows("\"drag\"")) << "pulls too, once it pauses";
  // what was undone is gone as soon as something else comes of the state gone back to
  desk.undo();
  desk.undo();
  EXPECT_TRUE(knows("nail"));
  desk.step();
  EXPECT_FALSE(knows("nail"));
}

TEST(desk, from_the_start_leaves_what_was_done_as_a_branch) {
  Desk desk = desk_of("mechanism/four-bar");
  const std::string first = state_hash(desk.session().state());
  ASSERT_TRUE(desk.reset());
  EXPECT_EQ(desk.status()["branches"].line(), "1") << "nothing was done";
  for (int k = 0; k < 3; ++k) desk.step();
  const std::string third = state_hash(desk.session().state());
  ASSERT_TRUE(desk.reset());
  EXPECT_EQ(state_hash(desk.session().state()), first);
  ASSERT_TRUE(desk.go_to_branch(0));
  EXPECT_EQ(state_hash(desk.session().state()), third);
  for (int k = 0; k < 20; ++k) {
    desk.step();
    ASSERT_TRUE(desk.reset());
    EXPECT_EQ(state_hash(desk.session().state()), first);
  }
  EXPECT_EQ(desk.status()["branches"].line(), "8") << "the oldest go";
}

TEST(desk, the_serial_changes_with_the_bodies_and_not_with_pulls) {
  Desk desk = desk_of("mechanism/moving-boxes");
  const auto serial = desk.serial();
  ASSERT_TRUE(desk.grab(1, "box-1", {}, Vec3(0.0, 1.0, 0.0), 0.0));
  for (int i = 0; i < 3; ++i) desk.step();
  EXPECT_EQ(desk.serial(), serial);
  ASSERT_TRUE(desk.apply(fix("box-2")));
  EXPECT_GT(desk.serial(), serial);
}

}  // namespace
}  // namespace repose::serve
