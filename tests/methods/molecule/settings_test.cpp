#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "repose/run/catalogue.h"
#include "repose/run/session.h"
#include "repose/scene/scene.h"

namespace repose {
namespace {

constexpr const char* kEight =
    R"({"kind": "lattice", "counts": [2, 2, 2], "pitch": 0.02, "radius": 0.012})";

/// A block of eight molecules, or another shape, over ground.
Result<Session> block(const SettingValues& settings, const std::string& material = "\"damping\": 0",
                      const std::string& shape = kEight) {
  const std::string text =
      R"({"repose": 1, "method": {"kind": "molecule"},
          "materials": {"jelly": {"young_modulus": 1e5, )" +
      material +
      R"(}}, "bodies": [{"name": "ground", "shape": {"kind": "half_space"}, "fixed": true},
             {"name": "block", "material": "jelly", "position": [0, 0, 0.1], "shape": )" +
      shape + "}]}";
  const auto scene = scene_from_text(text, "sample.json", method_catalogue());
  EXPECT_TRUE(scene) << scene.error().text();
  auto world = build_world(*scene);
  EXPECT_TRUE(world) << world.error().text();
  return Session::start(std::move(world->problem), std::move(world->state),
                        **find_method("molecule"), settings);
}

Edit set(const std::string& name, const SettingValue& value) {
  Edit edit;
  edit.kind = EditKind::set;
  edit.target = name;
  edit.values["value"] = value;
  return edit;
}

TEST(molecule_settings, the_paper_engine_refuses_a_step_that_would_swing_up) {
  const auto slow = block({{"engine", std::string("paper")}, {"iterations_per_second", 10.0}});
  ASSERT_FALSE(slow);
  EXPECT_EQ(slow.error().pointer, "/method/iterations_per_second");
  EXPECT_TRUE(block({{"iterations_per_second", 10.0}})) << "the engine proven divides it";
}

TEST(molecule_settings, the_paper_engine_refuses_skins_of_which_it_knows_nothing) {
  const auto skin = block({{"engine", std::string("paper")}, {"detection", std::string("skin")}});
  ASSERT_FALSE(skin);
  EXPECT_EQ(skin.error().pointer, "/method/detection");
}

TEST(molecule_settings, what_is_refused_at_the_start_is_refused_while_it_runs) {
  auto session = block({{"iterations_per_second", 10.0}});
  ASSERT_TRUE(session) << session.error().text();
  ASSERT_TRUE(session->step());
  const auto edited = session->apply(set("engine", std::string("paper")));
  ASSERT_FALSE(edited);
  EXPECT_NE(edited.error().text().find("iterations_per_second"), std::string::npos);
  // and the engine before goes on
  ASSERT_TRUE(session->step());
  EXPECT_TRUE(session->apply(set("iterations_per_second", 10000.0)));
  EXPECT_TRUE(session->apply(set("engine", std::string("paper"))));
  EXPECT_FALSE(session->apply(set("detection", std::string("skin"))));
}

TEST(molecule_settings, what_springs_cannot_do_is_refused_not_left_out) {
  for (const char* field : {"\"poisson_ratio\": 0.45", "\"yield_strain\": 0.1", "\"creep\": 1",
                            "\"break_strain\": 0.3"}) {
    const auto session = block({}, field);
    ASSERT_FALSE(session) << field;
    EXPECT_EQ(session.error().pointer, "/bodies/1") << field;
  }
}

TEST(molecule_settings, a_body_without_a_skin_is_not_judged_to_have_one) {
  const auto set = block({{"detection", std::string("skin")}}, "\"damping\": 0",
                         R"({"kind": "sphere_set", "centers": [[0, 0, 0], [0.02, 0, 0]],
                             "radii": [0.011, 0.011], "links": [[0, 1]]})");
  ASSERT_FALSE(set);
  EXPECT_EQ(set.error().pointer, "/method/detection");
  EXPECT_TRUE(block({{"detection", std::string("skin")}}));
}

Edit of_material(const std::string& field, double value) {
  Edit edit;
  edit.kind = EditKind::material;
  edit.target = "block";
  edit.values[field] = value;
  return edit;
}

/// s; what one more step takes.
double next_step(Session& session) {
  const double before = session.state().time;
  EXPECT_TRUE(session.step());
  return session.state().time - before;
}

TEST(molecule_settings, elasticity_and_density_edited_live_change_the_stable_step) {
  // so few iterations a second that stability alone decides
  auto session = block({{"iterations_per_second", 1.0}});
  ASSERT_TRUE(session) << session.error().text();
  const double first = next_step(*session);
  ASSERT_TRUE(session->apply(of_material("young_modulus", 1e7)));
  EXPECT_NEAR(next_step(*session), 0.1 * first, 0.02 * first);
  ASSERT_TRUE(session->apply(of_material("young_modulus", 1e5)));
  const double mass = session->problem().bodies[1].mass;
  ASSERT_TRUE(session->apply(of_material("density", 100.0)));
  const double lighter = session->problem().bodies[1].mass / mass;
  EXPECT_LT(lighter, 0.2);
  EXPECT_NEAR(next_step(*session), std::sqrt(lighter) * first, 0.02 * first);
}

TEST(molecule_settings, iterations_and_detection_edited_live_take_effect_at_once) {
  auto session = block({{"iterations_per_second", 10000.0}});
  ASSERT_TRUE(session) << session.error().text();
  EXPECT_NEAR(next_step(*session), 1e-4, 1e-12);
  ASSERT_TRUE(session->apply(set("iterations_per_second", 5000.0)));
  EXPECT_NEAR(next_step(*session), 2e-4, 1e-12);
  ASSERT_TRUE(session->apply(set("detection", std::string("skin"))));
  EXPECT_NEAR(next_step(*session), 2e-4, 1e-12);
  ASSERT_TRUE(session->apply(set("detection", std::string("spheres"))));
  ASSERT_TRUE(session->step());
}

TEST(molecule_settings, friction_edited_live_lets_a_block_go_and_holds_it_again) {
  const auto scene = scene_from_text(
      R"({"repose": 1, "method": {"kind": "molecule", "iterations_per_second": 4000},
          "gravity": [3, 0, -9.81],
          "materials": {"jelly": {"young_modulus": 1e5, "damping": 0.02, "friction": 0.6}},
          "bodies": [{"name": "ground", "shape": {"kind": "half_space"}, "fixed": true,
                      "material": "jelly"},
                     {"name": "block", "material": "jelly", "position": [0, 0, 0.0221],
                      "shape": {"kind": "lattice", "counts": [3, 3, 2], "pitch": 0.02,
                                "radius": 0.012}}]})",
      "sample.json", method_catalogue());
  ASSERT_TRUE(scene) << scene.error().text();
  auto world = build_world(*scene);
  ASSERT_TRUE(world) << world.error().text();
  auto session = Session::start(std::move(world->problem), std::move(world->state),
                                **find_method("molecule"), {{"iterations_per_second", 4000.0}});
  ASSERT_TRUE(session) << session.error().text();
  const auto speed_after = [&](double seconds) {
    const double end = session->state().time + seconds;
    while (session->state().time < end) EXPECT_TRUE(session->step());
    Vec3 sum = Vec3::Zero();
    const auto& v = session->state().bodies[1].soft.velocities;
    for (std::size_t i = 0; i < v.size(); ++i) sum += v[i];
    return sum.x() / static_cast<double>(v.size());
  };
  EXPECT_LT(speed_after(0.3), 1e-3);
  ASSERT_TRUE(session->apply(of_material("friction", 0.0)));
  EXPECT_NEAR(speed_after(0.2), 0.6, 0.01);
  ASSERT_TRUE(session->apply(of_material("friction", 0.6)));
  EXPECT_LT(speed_after(0.5), 1e-2);
}

/// The same edits as events of a scene, in the order of their times.
TEST(molecule_settings, events_of_a_scene_edit_matter_iterations_and_detection_while_it_runs) {
  const auto scene = scene_from_text(
      R"({"repose": 1, "method": {"kind": "molecule", "iterations_per_second": 4000},
          "gravity": [3, 0, -9.81],
          "materials": {"jelly": {"young_modulus": 1e5, "damping": 0.02, "friction": 0.6}},
          "bodies": [{"name": "ground", "shape": {"kind": "half_space"}, "fixed": true,
                      "material": "jelly"},
                     {"name": "block", "material": "jelly", "position": [0, 0, 0.0221],
                      "shape": {"kind": "lattice", "counts": [3, 3, 2], "pitch": 0.02,
                                "radius": 0.012}}],
          "events": [
            {"at_time": 0.3, "edits": [{"kind": "material", "target": "block", "friction": 0}]},
            {"at_time": 0.5, "edits": [
              {"kind": "material", "target": "block", "friction": 0.6},
              {"kind": "material", "target": "block", "density": 2000, "young_modulus": 2e5},
              {"kind": "set", "target": "iterations_per_second", "value": 8000},
              {"kind": "set", "target": "detection", "value": "skin"}]}]})",
      "sample.json", method_catalogue());
  ASSERT_TRUE(scene) << scene.error().text();
  auto world = build_world(*scene);
  ASSERT_TRUE(world) << world.error().text();
  auto session = Session::start(std::move(world->problem), std::move(world->state),
                                **find_method("molecule"), {{"iterations_per_second", 4000.0}});
  ASSERT_TRUE(session) << session.error().text();
  const double mass = session->problem().bodies[1].mass;
  const auto speed_at = [&](double end) {
    while (session->state().time < end) EXPECT_TRUE(session->step());
    double sum = 0.0;
    const auto& v = session->state().bodies[1].soft.velocities;
    for (std::size_t i = 0; i < v.size(); ++i) sum += v[i].x();
    return sum / static_cast<double>(v.size());
  };
  EXPECT_LT(speed_at(0.299), 1e-3);
  EXPECT_NEAR(speed_at(0.499), 0.6, 0.01);
  EXPECT_LT(speed_at(1.0), 1e-2);
  EXPECT_NEAR(session->problem().bodies[1].mass, 2.0 * mass, 1e-9 * mass);
  EXPECT_NEAR(next_step(*session), 1.0 / 8000.0, 1e-12);
  const Json::Object facts = session->facts();
  EXPECT_TRUE(std::any_of(facts.begin(), facts.end(),
                          [](const auto& fact) { return fact.first == "skins_kept"; }));
}

TEST(molecule_settings, steps_that_were_shortened_end_an_iteration_when_it_should) {
  // so fast that steps are cut, by more and less as it strikes and springs back
  const auto scene = scene_from_text(
      R"({"repose": 1, "method": {"kind": "molecule", "iterations_per_second": 100},
          "materials": {"jelly": {"young_modulus": 2e4, "damping": 0}},
          "bodies": [{"name": "ground", "shape": {"kind": "half_space"}, "fixed": true},
                     {"name": "block", "material": "jelly", "position": [0, 0, 0.3],
                      "velocity": [0, 0, -20], "shape": )" +
          std::string(kEight) + "}]}",
      "sample.json", method_catalogue());
  ASSERT_TRUE(scene) << scene.error().text();
  auto world = build_world(*scene);
  ASSERT_TRUE(world) << world.error().text();
  auto session = Session::start(std::move(world->problem), std::move(world->state),
                                **find_method("molecule"), {{"iterations_per_second", 100.0}});
  ASSERT_TRUE(session) << session.error().text();
  double ended = 0.0;  // iterations
  while (session->state().time < 0.0999) {
    ASSERT_TRUE(session->step());
    const double now = 100.0 * session->state().time;
    ASSERT_LT(now, ended + 1.0 + 1e-9) << "a step passes the end of its iteration";
    if (std::fabs(now - ended - 1.0) < 1e-9) ended += 1.0;
  }
  EXPECT_EQ(ended, 10.0);
  EXPECT_GT(session->state().step, 50);
}

TEST(molecule_settings, friction_is_switched_off_and_on_while_it_runs) {
  const auto scene = scene_from_text(
      R"({"repose": 1, "method": {"kind": "molecule", "iterations_per_second": 4000},
          "gravity": [3, 0, -9.81],
          "materials": {"jelly": {"young_modulus": 1e5, "damping": 0.02, "friction": 0.6}},
          "bodies": [{"name": "ground", "shape": {"kind": "half_space"}, "fixed": true,
                      "material": "jelly"},
                     {"name": "block", "material": "jelly", "position": [0, 0, 0.0221],
                      "shape": {"kind": "lattice", "counts": [3, 3, 2], "pitch": 0.02,
                                "radius": 0.012}}]})",
      "sample.json", method_catalogue());
  ASSERT_TRUE(scene) << scene.error().text();
  auto world = build_world(*scene);
  ASSERT_TRUE(world) << world.error().text();
  auto session = Session::start(std::move(world->problem), std::move(world->state),
                                **find_method("molecule"), {{"iterations_per_second", 4000.0}});
  ASSERT_TRUE(session) << session.error().text();
  const auto speed_at = [&](double end) {
    while (session->state().time < end) EXPECT_TRUE(session->step());
    double sum = 0.0;
    const auto& v = session->state().bodies[1].soft.velocities;
    for (std::size_t i = 0; i < v.size(); ++i) sum += v[i].x();
    return sum / static_cast<double>(v.size());
  };
  EXPECT_LT(speed_at(0.1), 1e-2);
  ASSERT_TRUE(session->apply(set("friction", false)));
  EXPECT_NEAR(speed_at(0.2), 0.3, 0.02);
  ASSERT_TRUE(session->apply(set("friction", true)));
  EXPECT_LT(speed_at(0.4), 1e-2);
}

}  // namespace
}  // namespace repose
