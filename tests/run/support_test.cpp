// Nothing that a scene asks is left out in silence: each row of the table of methods is tried.
#include "repose/run/support.h"

#include <fstream>
#include <functional>
#include <sstream>

#include <gtest/gtest.h>

#include "repose/run/catalogue.h"
#include "repose/run/loop.h"
#include "repose/scene/scene.h"

#include "places.h"
#include "run/support_samples.h"

namespace repose {
namespace {

/// What a scene came to: a hash of its end, or the error that says where it is refused.
struct Outcome {
  std::string hash;
  std::optional<InputError> refused;
};

Outcome outcome_of(const nlohmann::json& text, long steps) {
  const auto scene = scene_from_text(text.dump(1), "sample.json", method_catalogue());
  if (!scene) return {"", scene.error()};
  auto world = build_world(*scene);
  if (!world) return {"", world.error()};
  const MethodInfo& method = **find_method(scene->method.kind);
  const auto located = [&](const InputError& error) {
    return Outcome{"", locate_error(*scene, world->written, error)};
  };
  if (auto done = check_support(method, *scene); !done) return located(done.error());
  auto session = Session::start(world->problem, world->state, method, scene->method.settings);
  if (!session) return located(session.error());
  RunLimits limits;
  limits.steps = scene->limits.steps ? std::min<long>(steps, *scene->limits.steps) : steps;
  if (scene->limits.duration) limits.duration = *scene->limits.duration;
  RunObserver nobody;
  const auto ran = run_to_end(*session, limits, nobody);
  if (!ran) return located(ran.error());
  return {state_hash(session->state()), std::nullopt};
}

TEST(support, every_part_of_the_format_works_or_is_refused_with_its_place) {
  const auto samples = tests::support_samples();
  const auto methods = moving_methods();
  for (const SupportRow& row : support_rows()) {
    const auto sample_of = samples.find(row.part);
    ASSERT_NE(sample_of, samples.end()) << "no sample tries " << row.part;
    for (std::size_t m = 0; m < methods.size(); ++m) {
      const std::string& method = methods[m]->name;
      const tests::Sample sample = sample_of->second(method);
      const std::string where = row.part + " in " + method + ": " + row.cells[m];
      const Outcome with = outcome_of(sample.with, sample.steps);
      if (row.cells[m].rfind("refused", 0) == 0) {
        ASSERT_TRUE(with.refused) << where << ", but it was taken";
        EXPECT_EQ(with.refused->pointer.rfind(sample.pointer, 0), 0U) << where << "\n"
                                                                      << with.refused->text();
        EXPECT_GT(with.refused->line, 0) << where << "\n" << with.refused->text();
        EXPECT_FALSE(with.refused->right.empty()) << where << "\n" << with.refused->text();
        continue;
      }
      EXPECT_FALSE(with.refused) << where << "\n" << with.refused->text();
      const Outcome without = outcome_of(sample.without, sample.steps);
      ASSERT_FALSE(without.refused) << where << "\n" << without.refused->text();
      if (sample.shows) {
        EXPECT_NE(with.hash, without.hash) << where << ", but changes nothing";
      }
    }
  }
}

TEST(support, the_drawing_of_bodies_follows_the_seed_of_the_scene) {
  const auto first_place = [](long seed, const nlohmann::json& own) {
    nlohmann::json text = tests::two_bodies("pile");
    nlohmann::json arrange = {
        {"kind", "scatter"}, {"count", 3}, {"low", {2, 2, 2}}, {"high", {4, 4, 4}}};
    arrange.update(own);
    text["seed"] = seed;
    text["instances"] = {{{"name", "many"},
                          {"body", {{"shape", {{"kind", "ball"}, {"radius", 0.1}}}}},
                          {"arrange", arrange}}};
    const auto scene = scene_from_text(text.dump(1), "sample.json", method_catalogue());
    EXPECT_TRUE(scene) << scene.error().text();
    return build_world(*scene)->state.bodies.back().world_from_body.position;
  };
  EXPECT_NE(first_place(1, nlohmann::json::object()), first_place(2, nlohmann::json::object()));
  EXPECT_EQ(first_place(1, {{"seed", 7}}), first_place(2, {{"seed", 7}}));
  EXPECT_EQ(first_place(7, nlohmann::json::object()), first_place(1, {{"seed", 7}}));
}

TEST(support, what_points_out_of_the_plane_of_a_mechanism_is_refused_with_its_place) {
  using nlohmann::json;
  const std::vector<std::pair<std::string, std::function<void(json&)>>> slips = {
      {"/gravity",
       [](json& scene) {
         scene["gravity"] = {0, 0, -9.81};
       }},
      {"/bodies/2/velocity",
       [](json& scene) {
         scene["bodies"][2]["velocity"] = {0, 0, 1};
       }},
      {"/bodies/2/angular_velocity",
       [](json& scene) {
         scene["bodies"][2]["angular_velocity"] = {1, 0, 0};
       }},
      {"/forces/0/vector",
       [](json& scene) {
         scene["forces"] = {{{"kind", "push"}, {"body", "two"}, {"vector", {0, 1, 1}}}};
       }},
      {"/joints/0/axis", [](json& scene) {
         scene["joints"] = {{{"kind", "slider"}, {"body_a", "two"}, {"axis", {1, 0, 1}}}};
       }}};
  for (const auto& [pointer, slip] : slips) {
    json scene = tests::two_bodies("mechanism");
    slip(scene);
    const Outcome outcome = outcome_of(scene, 3);
    ASSERT_TRUE(outcome.refused) << pointer << " was taken";
    EXPECT_EQ(outcome.refused->pointer, pointer) << outcome.refused->text();
    EXPECT_GT(outcome.refused->line, 0) << outcome.refused->text();
  }
}

TEST(support, a_pile_takes_materials_smoother_than_its_setting) {
  nlohmann::json text = tests::two_bodies("pile");
  text["method"]["friction"] = true;
  text["method"]["most_friction"] = 0.3;
  text["materials"]["ice"]["friction"] = 0.1;
  EXPECT_FALSE(outcome_of(text, 3).refused);
  text["bodies"][2]["material"] = "ice";
  EXPECT_FALSE(outcome_of(text, 3).refused);  // its contacts have the friction of ice
}

TEST(support, the_page_shows_the_table) {
  std::ostringstream page;
  page << std::ifstream(std::string(tests::source_dir()) + "/docs/run.md").rdbuf();
  EXPECT_NE(page.str().find(support_markdown()), std::string::npos) << "docs/run.md must hold:\n"
                                                                    << support_markdown();
}

}  // namespace
}  // namespace repose
