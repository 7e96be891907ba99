// Scenes in which nothing can move, by themselves or by an event: every method refuses them with
// their place, or comes to rest.
#include <gtest/gtest.h>

#include "repose/run/catalogue.h"
#include "repose/run/judge.h"
#include "repose/run/loop.h"
#include "repose/scene/scene.h"

#include "run/support_samples.h"

namespace repose {
namespace {

using nlohmann::json;

constexpr std::array<const char*, 5> kMethods = {"place", "pile", "mechanism", "molecule",
                                                 "surfel"};
/// What these do by themselves ends in rest; the others may go on until their time is over.
constexpr std::array<const char*, 3> kResting = {"place", "pile", "mechanism"};
constexpr long kSteps = 4000;

struct Ran {
  std::optional<InputError> refused;
  RunOutcome outcome;
  Judgement verdict;
};

Ran run(const json& text) {
  Ran out;
  const auto scene = scene_from_text(text.dump(1), "sample.json", method_catalogue());
  if (!scene) {
    out.refused = scene.error();
    return out;
  }
  auto world = build_world(*scene);
  EXPECT_TRUE(world) << world.error().text();
  auto session = Session::start(world->problem, world->state, **find_method(scene->method.kind),
                                scene->method.settings);
  if (!session) {
    out.refused = locate_error(*scene, world->written, session.error());
    return out;
  }
  RunObserver nobody;
  const auto ran = run_to_end(*session, {.steps = kSteps}, nobody);
  if (!ran) {
    out.refused = locate_error(*scene, world->written, ran.error());
    return out;
  }
  out.outcome = *ran;
  out.verdict = judge(session->problem(), session->state(), {.judge_balance = false});
  return out;
}

json& body(json& scene, std::size_t i) {
  return scene["bodies"][i];
}

void expect_answer(const std::string& what, const json& scene) {
  const Ran ran = run(scene);
  if (ran.refused) {
    EXPECT_GT(ran.refused->line, 0) << what << ": " << ran.refused->text();
    EXPECT_FALSE(ran.refused->right.empty()) << what << ": " << ran.refused->text();
    return;
  }
  EXPECT_TRUE(ran.outcome.status == RunStatus::rest || ran.outcome.status == RunStatus::jammed)
      << what << ": " << to_text(ran.outcome.status) << ", " << ran.outcome.why;
  EXPECT_EQ(ran.verdict.overlap, check::Answer::proven) << what << ": " << ran.verdict.why;
}

json all_frozen() {
  return {"x", "y", "z", "turn_x", "turn_y", "turn_z"};
}

TEST(nothing_moves, a_scene_in_which_nothing_can_move_has_an_answer) {
  for (const std::string method : kMethods) {
    json none = tests::two_bodies(method);
    none["bodies"] = json::array();
    expect_answer(method + ", no body", none);
    json fixed = tests::two_bodies(method);
    body(fixed, 1)["fixed"] = body(fixed, 2)["fixed"] = true;
    expect_answer(method + ", all fixed", fixed);
    json frozen = tests::two_bodies(method);
    body(frozen, 1)["frozen"] = body(frozen, 2)["frozen"] = all_frozen();
    expect_answer(method + ", all frozen", frozen);
    json drawn = tests::two_bodies(method);
    body(drawn, 1)["fixed"] = true;
    body(drawn, 2)["fixed"] = true;
    body(drawn, 1)["collides"] = body(drawn, 2)["collides"] = false;
    expect_answer(method + ", all drawn", drawn);
  }
  json plane = tests::two_bodies("mechanism");
  body(plane, 1)["frozen"] = body(plane, 2)["frozen"] = {"x", "y", "turn_z"};
  expect_answer("frozen in the plane", plane);
}

TEST(nothing_moves, what_falls_for_ever_is_told_to_want_a_ground) {
  for (const std::string method : {"place", "pile"}) {
    json scene = tests::two_bodies(method);
    scene["bodies"].erase(0);
    const Ran ran = run(scene);
    ASSERT_FALSE(ran.refused) << ran.refused->text();
    EXPECT_EQ(ran.outcome.status, RunStatus::stopped) << method;
    EXPECT_NE(ran.outcome.last.remedy.find("add a ground"), std::string::npos)
        << method << ": " << ran.outcome.last.remedy;
  }
}

TEST(nothing_moves, what_is_welded_to_the_world_has_an_answer) {
  for (const std::string method : {"place", "mechanism"}) {
    json scene = tests::two_bodies(method);
    scene["joints"] = {{{"kind", "weld"}, {"body_a", "two"}},
                       {{"kind", "weld"}, {"body_a", "one"}, {"body_b", "two"}}};
    expect_answer(method + ", welded", scene);
  }
}

TEST(nothing_moves, a_joint_between_bodies_that_are_fixed_is_judged) {
  json scene = tests::two_bodies("place");
  scene["method"] = {{"kind", "still"}};
  body(scene, 1)["fixed"] = body(scene, 2)["fixed"] = true;
  scene["joints"] = {{{"kind", "point_on_line"}, {"body_a", "ground"}, {"body_b", "two"}}};
  const auto read = scene_from_text(scene.dump(1), "sample.json", method_catalogue());
  ASSERT_TRUE(read) << read.error().text();
  const auto world = build_world(*read);
  ASSERT_TRUE(world) << world.error().text();
  EXPECT_EQ(judge(world->problem, world->state).overlap, check::Answer::proven);
}

TEST(nothing_moves, an_event_after_which_nothing_can_move_has_an_answer) {
  for (const std::string method : kMethods) {
    const auto with_edits = [&](const json& edits) {
      json scene = tests::two_bodies(method);
      scene["events"] = {{{"at_step", 1}, {"edits", edits}}};
      return scene;
    };
    const auto on = [](const char* kind, const char* target) {
      return json{{"kind", kind}, {"target", target}};
    };
    const json removed = {on("remove", "one"), on("remove", "two")};
    expect_answer(method + ", removed", with_edits(removed));
    const json all = {on("remove", "one"), on("remove", "two"), on("remove", "ground")};
    expect_answer(method + ", all removed", with_edits(all));
    expect_answer(method + ", fixed", with_edits({on("fix", "one"), on("fix", "two")}));
    json first = on("freeze", "one"), second = on("freeze", "two");
    for (const std::string freedom : all_frozen()) first[freedom] = second[freedom] = true;
    expect_answer(method + ", frozen", with_edits({first, second}));
  }
}

TEST(nothing_moves, without_any_force_bodies_rest_where_they_are) {
  for (const char* method : kResting) {
    json scene = tests::two_bodies(method);
    scene["gravity"] = {0, 0, 0};
    scene["bodies"].erase(0);
    const Ran ran = run(scene);
    ASSERT_FALSE(ran.refused) << method << ": " << ran.refused->text();
    EXPECT_EQ(ran.outcome.status, RunStatus::rest) << method << ": " << ran.outcome.why;
    EXPECT_EQ(ran.verdict.overlap, check::Answer::proven) << ran.verdict.why;
  }
}

}  // namespace
}  // namespace repose
