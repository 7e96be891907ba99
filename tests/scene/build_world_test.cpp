#include <numbers>
#include <set>

#include <gtest/gtest.h>

#include "repose/base/stage_clock.h"
#include "repose/scene/gallery.h"

#include "sample.h"

namespace repose {
namespace {

constexpr double kPi = std::numbers::pi;

Result<World> world(const std::string& rest) {
  const auto scene = sample::scene("{\"repose\": 1,\n" + rest);
  if (!scene) return scene.error();
  return build_world(*scene);
}

TEST(BuildWorld, mass_and_inertia_are_those_of_the_shape) {
  const auto built = world(
      R"("materials": {"tin": {"density": 7000}}, "bodies": [
         {"name": "a", "shape": {"kind": "ball", "radius": 0.1}, "material": "tin"},
         {"name": "b", "shape": {"kind": "ball", "radius": 0.1}, "mass": 2}]})");
  ASSERT_TRUE(built) << built.error().text();
  const Body& a = built->problem.bodies[0];
  const Body& b = built->problem.bodies[1];
  const double mass = 7000.0 * 4.0 / 3.0 * kPi * 1e-3;
  EXPECT_NEAR(a.mass, mass, 1e-12 * mass);
  EXPECT_NEAR(a.inertia_body(0, 0), 0.4 * mass * 0.01, 1e-12 * mass);
  EXPECT_EQ(b.mass, 2.0);
  EXPECT_NEAR(b.inertia_body(2, 2), 0.4 * 2.0 * 0.01, 1e-12);
  EXPECT_EQ(a.material.name, "tin");
  EXPECT_EQ(a.shape, b.shape) << "shapes written alike are one";
}

TEST(BuildWorld, rotations_mean_what_they_say) {
  const auto built = world(
      R"("shapes": {"s": {"kind": "box", "size": [1, 1, 1]}}, "bodies": [
         {"name": "a", "shape": "s", "axis_angle_deg": [0, 0, 2, 90]},
         {"name": "b", "shape": "s", "roll_pitch_yaw_deg": [90, 0, 90]},
         {"name": "c", "shape": "s", "orientation_wxyz": [0, 0, 0, 1]},
         {"name": "d", "shape": "s", "axis_angle_deg": [1, 0, 0, 30]}]})");
  ASSERT_TRUE(built) << built.error().text();
  const auto turned = [&](std::size_t i, const Vec3& v) {
    return Vec3(built->state.bodies[i].world_from_body.turn(v));
  };
  EXPECT_LT((turned(0, Vec3::UnitX()) - Vec3::UnitY()).norm(), 1e-15);
  EXPECT_LT((turned(1, Vec3::UnitY()) - Vec3::UnitZ()).norm(), 1e-15);
  EXPECT_LT((turned(1, Vec3::UnitX()) - Vec3::UnitY()).norm(), 1e-15);
  EXPECT_LT((turned(2, Vec3::UnitX()) + Vec3::UnitX()).norm(), 1e-15);
  EXPECT_NEAR(turned(3, Vec3::UnitY()).z(), 0.5, 1e-15);
}

TEST(BuildWorld, a_grid_counts_x_first_and_staggers_every_second_layer) {
  const auto built = world(
      R"("instances": [{"name": "g", "body": {"shape": {"kind": "ball", "radius": 0.1}},
         "arrange": {"kind": "grid", "counts": [2, 1, 2], "spacing": [1, 1, 2],
                     "origin": [0, 0, 5], "stagger": [0.5, 0, 0]}}]})");
  ASSERT_TRUE(built) << built.error().text();
  ASSERT_EQ(built->problem.bodies.size(), 4U);
  EXPECT_EQ(built->problem.bodies[3].name, "g-4");
  EXPECT_EQ(built->state.bodies[1].world_from_body.position, Vec3(1, 0, 5));
  EXPECT_EQ(built->state.bodies[2].world_from_body.position, Vec3(0.5, 0, 7));
}

TEST(BuildWorld, scattered_bodies_do_not_overlap_and_depend_on_the_seed_alone) {
  const auto make = [](int seed) {
    return world(
        R"("bodies": [{"name": "big", "shape": {"kind": "ball", "radius": 0.3},
                       "position": [0.5, 0.5, 0.5]}],
           "instances": [{"name": "s", "body": {"shape": {"kind": "ball", "radius": 0.05}},
           "arrange": {"kind": "scatter", "count": 300, "low": [0, 0, 0], "high": [1, 1, 1],
                       "sizes": {"kind": "uniform", "low": 0.02, "high": 0.04}, "clearance": 0.001, "seed": )" +
        std::to_string(seed) + "}}]}");
  };
  const auto built = make(1);
  ASSERT_TRUE(built) << built.error().text();
  const auto& bodies = built->problem.bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double apart = (built->state.bodies[i].world_from_body.position -
                            built->state.bodies[j].world_from_body.position)
                               .norm();
      EXPECT_GE(apart, bodies[i].shape->bounding_radius + bodies[j].shape->bounding_radius + 0.001);
    }
  EXPECT_EQ(state_hash(built->state), state_hash(make(1)->state));
  EXPECT_NE(state_hash(built->state), state_hash(make(2)->state));
}

TEST(BuildWorld, a_full_box_says_how_many_found_room) {
  const auto built = world(
      R"("instances": [{"name": "s", "body": {"shape": {"kind": "ball", "radius": 0.3}},
         "arrange": {"kind": "scatter", "count": 50, "low": [0, 0, 0], "high": [1, 1, 1]}}]})");
  ASSERT_FALSE(built);
  EXPECT_EQ(built.error().pointer, "/instances/0/arrange");
  EXPECT_NE(built.error().text().find("of 50 bodies found room"), std::string::npos);
}

TEST(BuildWorld, joints_without_a_second_point_hold_where_they_start) {
  const auto built = world(
      R"("shapes": {"s": {"kind": "ball", "radius": 0.1}}, "bodies": [
         {"name": "a", "shape": "s", "position": [1, 0, 0]},
         {"name": "b", "shape": "s", "position": [0, 2, 0], "axis_angle_deg": [0, 0, 1, 90]}],
         "joints": [{"kind": "pin", "body_a": "a", "body_b": "b", "point_a": [0, 0, 1]},
                    {"kind": "gear", "body_a": "a", "body_b": "b"}]})");
  ASSERT_TRUE(built) << built.error().text();
  const Joint& pin = built->problem.joints[0];
  EXPECT_LT((built->state.bodies[1].world_from_body * pin.point_b - Vec3(1, 0, 1)).norm(), 1e-15);
  EXPECT_EQ(std::get<double>(built->problem.joints[1].values.at("ratio")), -1.0);
}

TEST(BuildWorld, events_become_edits) {
  const auto built = world(
      R"("method": {"kind": "place"}, "shapes": {"s": {"kind": "ball", "radius": 0.1}},
         "events": [{"at_step": 3, "edits": [
           {"kind": "set", "target": "epsilon_max", "value": 1},
           {"kind": "add", "body": {"name": "n", "shape": "s", "position": [0, 0, 4]}}]}]})");
  ASSERT_TRUE(built) << built.error().text();
  ASSERT_EQ(built->problem.events.size(), 2U);
  EXPECT_EQ(std::get<double>(built->problem.events[0].edit.values.at("value")), 1.0);
  EXPECT_EQ(std::get<AtStep>(built->problem.events[1].when).step, 3);
  ASSERT_TRUE(built->problem.events[1].edit.body);
  EXPECT_EQ(built->problem.events[1].edit.body->name, "n");
  EXPECT_EQ(built->problem.events[1].edit.body_state.world_from_body.position.z(), 4.0);
}

TEST(BuildWorld, shape_errors_are_told_at_their_place_in_the_scene) {
  struct Case {
    const char* text;
    int line;
    const char* pointer;
  };
  for (const Case& c : {Case{R"("bodies": [{"name": "a",
              "shape": {"kind": "bspline", "patches": [{"degree_u": 1, "degree_v": 1,
              "knots_u": [0, 1, 0, 1], "knots_v": [0, 0, 1, 1],
              "points": [[[0,0,0],[0,1,0]],[[1,0,0],[1,1,0]]]}]}}]})",
                             4, "/bodies/0/shape/patches/0/knots_u"},
                        Case{R"("bodies": [{"name": "a", "shape": {"kind": "mesh_file",
              "path": "no-such-file.obj"}}]})",
                             3, "/bodies/0/shape/path"},
                        Case{R"("bodies": [{"name": "a", "shape": {"kind": "half_space"}}]})", 2,
                             "/bodies/0/fixed"},
                        Case{R"("bodies": [{"name": "a", "shape": {"kind": "mesh", "open": true,
              "points": [[0,0,0],[1,0,0],[0,1,0]], "triangles": [[0,1,2]]}}]})",
                             2, "/bodies/0/shape"}}) {
    const auto built = world(c.text);
    ASSERT_FALSE(built) << c.text;
    EXPECT_EQ(built.error().line, c.line) << built.error().text();
    EXPECT_EQ(built.error().pointer.substr(0, std::string(c.pointer).size()), c.pointer)
        << built.error().text();
  }
}

TEST(BuildWorld, a_formula_error_names_the_column_of_the_file) {
  const std::string line = R"("shapes": {"f": {"kind": "formula", "patches": [{"x": "u + ) v",)";
  const auto built = world(line + R"( "y": "v", "z": "0"}]}},
      "bodies": [{"name": "a", "shape": "f"}]})");
  ASSERT_FALSE(built);
  EXPECT_EQ(built.error().line, 2);
  EXPECT_EQ(built.error().column, static_cast<int>(line.find(')')) + 1) << built.error().text();
  EXPECT_EQ(built.error().pointer, "/shapes/f/patches/0/x");
}

TEST(BuildWorld, every_still_scene_of_the_gallery_is_built) {
  const auto gallery = list_gallery();
  ASSERT_TRUE(gallery) << gallery.error().text();
  for (const GalleryScene& entry : *gallery) {
    if (entry.method != "still") continue;
    const auto scene = load_scene(entry.path, sample::catalogue());
    ASSERT_TRUE(scene) << scene.error().text();
    EXPECT_FALSE(scene->about.empty()) << entry.path;
    const auto built = build_world(*scene);
    ASSERT_TRUE(built) << built.error().text();
    EXPECT_TRUE(all_finite(built->state));
    EXPECT_FALSE(built->problem.bodies.empty());
  }
}

TEST(BuildWorld, a_hundred_thousand_spheres_load_and_build_in_time) {
  std::string text = "{\"repose\": 1, \"bodies\": [\n";
  for (int i = 0; i < 100'000; ++i)
    text += (i > 0 ? ",\n" : "") + std::string("{\"name\": \"ball-") + std::to_string(i) +
            "\", \"shape\": {\"kind\": \"ball\", \"radius\": 0.01}, \"position\": [" +
            std::to_string(i % 100) + ", " + std::to_string(i / 100 % 100) + ", " +
            std::to_string(i / 10000) + "]}";
  text += "]}";
  const double start = cpu_seconds();
  const auto scene = sample::scene(text);
  ASSERT_TRUE(scene) << scene.error().text();
  const auto built = build_world(*scene);
  const double took = cpu_seconds() - start;
  ASSERT_TRUE(built) << built.error().text();
  EXPECT_EQ(built->problem.bodies.size(), 100'000U);
  EXPECT_LT(took, 2.0);
  RecordProperty("seconds", std::to_string(took));
}

}  // namespace
}  // namespace repose
