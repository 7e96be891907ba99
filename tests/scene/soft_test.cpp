#include <numbers>

#include <gtest/gtest.h>

#include "repose/scene/gallery.h"

#include "sample.h"

namespace repose {
namespace {

Result<World> world(const std::string& rest) {
  const auto scene = sample::scene("{\"repose\": 1,\n" + rest);
  if (!scene) return scene.error();
  return build_world(*scene);
}

std::string refusal(const std::string& rest) {
  const auto built = world(rest);
  return built ? "accepted" : built.error().text();
}

std::string lattice(const std::string& counts, const std::string& more = "") {
  return R"("bodies": [{"name": "b", "shape": {"kind": "lattice", "counts": )" + counts +
         R"(, "pitch": 0.02, "radius": 0.009}, "velocity": [0, 0, -1])" + more + "}]";
}

TEST(SoftScene, lattices_have_the_links_of_the_paper) {
  const auto box = world(lattice("[5, 5, 3]") + "}");
  ASSERT_TRUE(box) << box.error().text();
  EXPECT_EQ(box->problem.bodies[0].soft->size(), 75U);
  EXPECT_EQ(box->problem.bodies[0].soft->links.size(), 426U);
  const auto ground = world(lattice("[15, 15, 1]") + "}");
  ASSERT_TRUE(ground) << ground.error().text();
  EXPECT_EQ(ground->problem.bodies[0].soft->size(), 225U);
  EXPECT_EQ(ground->problem.bodies[0].soft->links.size(), 812U);
}

TEST(SoftScene, links_join_exactly_the_pairs_up_to_the_neighbourhood) {
  const auto built = world(lattice("[4, 3, 2]", R"(, "position": [1, 2, 3])") + "}");
  ASSERT_TRUE(built) << built.error().text();
  const auto& positions = built->state.bodies[0].soft.positions.view();
  std::vector<std::array<int, 2>> near;
  for (int i = 0; i < 24; ++i)
    for (int j = i + 1; j < 24; ++j)
      if ((positions[i] - positions[j]).norm() < 1.5 * 0.02) near.push_back({i, j});
  EXPECT_EQ(built->problem.bodies[0].soft->links, near);
}

TEST(SoftScene, the_points_stand_and_move_as_the_body_does_at_the_start) {
  const auto built = world(lattice("[2, 1, 1]",
                                   R"(, "position": [1, 0, 0], "axis_angle_deg": [0, 0, 1, 90],
                       "angular_velocity": [0, 0, 2])") +
                           "}");
  ASSERT_TRUE(built) << built.error().text();
  const SoftState& soft = built->state.bodies[0].soft;
  EXPECT_LT((soft.positions[1] - Vec3(1, 0.01, 0)).norm(), 1e-16);
  EXPECT_LT((soft.velocities[1] - Vec3(-0.02, 0, -1)).norm(), 1e-15);
  EXPECT_EQ(soft.radii[0], 0.009);
}

TEST(SoftScene, a_box_of_a_lattice_weighs_its_cells) {
  const auto built = world(lattice("[5, 4, 3]") + "}");
  ASSERT_TRUE(built) << built.error().text();
  const Body& body = built->problem.bodies[0];
  EXPECT_NEAR(body.mass, 1000.0 * 4 * 3 * 2 * 8e-6, 1e-12);
  EXPECT_NEAR(body.soft->masses[0], 1000.0 * 1e-6, 1e-15) << "a corner has an eighth of a cell";
  EXPECT_LT(body.center_body.norm(), 1e-16);
  const auto balls = world(lattice("[5, 4, 3]", R"(, "soft": {"mass": "balls"})") + "}");
  ASSERT_TRUE(balls);
  EXPECT_NEAR(balls->problem.bodies[0].mass,
              60 * 1000.0 * 4.0 / 3.0 * std::numbers::pi * 0.009 * 0.009 * 0.009, 1e-12);
}

TEST(SoftScene, the_border_of_a_sheet_is_its_rim) {
  const auto built = world(lattice("[8, 8, 1]", R"(, "soft": {"fixed": "border"})") + "}");
  ASSERT_TRUE(built) << built.error().text();
  const auto& fixed = built->problem.bodies[0].soft->fixed;
  EXPECT_EQ(std::count(fixed.begin(), fixed.end(), 1), 28);
  EXPECT_EQ(fixed[8 + 1], 0);
  EXPECT_EQ(fixed[7], 1);
  EXPECT_EQ(built->state.bodies[0].soft.velocities[7], Vec3::Zero());
}

TEST(SoftScene, fixed_points_are_chosen_by_index_and_by_box) {
  const auto built = world(lattice("[3, 1, 1]", R"(, "soft": {"fixed_points": [0], "fixed_boxes": [
              {"low": [0.015, -1, -1], "high": [0.02, 1, 1]}]})") +
                           "}");
  ASSERT_TRUE(built) << built.error().text();
  EXPECT_EQ(built->problem.bodies[0].soft->fixed, (std::vector<std::uint8_t>{1, 0, 1}));
}

TEST(SoftScene, points_may_be_of_different_materials) {
  const auto built = world(
      R"("materials": {"a": {"density": 10, "young_modulus": 1e5}, "b": {"density": 30}},)" +
      lattice("[2, 1, 1]", R"(, "soft": {"materials": ["a", "b"], "material_of": [1, 0]})") + "}");
  ASSERT_TRUE(built) << built.error().text();
  const SoftBody& soft = *built->problem.bodies[0].soft;
  EXPECT_EQ(soft.material(0).name, "b");
  EXPECT_EQ(soft.material(1).young_modulus, 1e5);
  EXPECT_NEAR(soft.masses[0] / soft.masses[1], 3.0, 1e-15);
}

TEST(SoftScene, a_filled_ball_weighs_what_the_ball_does_and_stays_within_it) {
  const auto built = world(R"("bodies": [{"name": "b", "shape": {"kind": "fill",
      "shape": {"kind": "ball", "radius": 0.1}, "pitch": 0.02, "radius": 0.011}}]})");
  ASSERT_TRUE(built) << built.error().text();
  const Body& body = built->problem.bodies[0];
  EXPECT_NEAR(body.mass, 1000.0 * 4.0 / 3.0 * std::numbers::pi * 1e-3, 1e-9);
  const auto& positions = built->state.bodies[0].soft.positions.view();
  EXPECT_GT(positions.size(), 300U);
  for (const Vec3& p : positions) EXPECT_LE(p.norm() + 0.011, 0.1 + 1e-9);
}

TEST(SoftScene, a_skin_brings_a_layer_of_balls_onto_the_shapes_depth) {
  const auto built = world(R"("bodies": [{"name": "b", "shape": {"kind": "fill", "skin": true,
      "shape": {"kind": "ball", "radius": 0.1}, "pitch": 0.02, "radius": 0.011}}]})");
  ASSERT_TRUE(built) << built.error().text();
  int on_it = 0;
  for (const Vec3& p : built->state.bodies[0].soft.positions) {
    EXPECT_LE(p.norm(), 0.089 + 1e-9);
    on_it += p.norm() > 0.089 - 1e-9 ? 1 : 0;
  }
  EXPECT_GT(on_it, 100);
}

TEST(SoftScene, near_balls_are_linked_and_their_lattice_is_seen) {
  const auto built = world(R"("bodies": [{"name": "b", "shape": {"kind": "sphere_set",
      "centers": [[0, 0, 0], [0.015, 0, 0], [0, 0.015, 0], [0.015, 0.015, 0], [0.045, 0, 0]],
      "radii": [0.01, 0.01, 0.01, 0.01, 0.01], "link_within": 0.0213}}]})");
  ASSERT_TRUE(built) << built.error().text();
  const SoftBody& soft = *built->problem.bodies[0].soft;
  EXPECT_EQ(soft.links.size(), 6U);
  EXPECT_NEAR(soft.pitch, 0.015, 1e-17);
  EXPECT_EQ(soft.lattice[4], (std::array<int, 3>{3, 0, 0}));
}

TEST(SoftScene, a_pull_acts_on_the_points_it_names) {
  const std::string pull = R"(, "forces": [{"kind": "pull", "body": "b", "times": [0, 1],
      "vectors": [[0, 0, 0], [0, 0, 2]])";
  const auto all = world(lattice("[3, 1, 1]") + pull + "}]}");
  ASSERT_TRUE(all) << all.error().text();
  EXPECT_EQ(all->problem.forces[0].points, (std::vector<int>{0, 1, 2}));
  const auto some =
      world(lattice("[3, 1, 1]") + pull +
            R"(, "points": [0], "boxes": [{"low": [0.01, -1, -1], "high": [1, 1, 1]}]}]})");
  ASSERT_TRUE(some) << some.error().text();
  EXPECT_EQ(some->problem.forces[0].points, (std::vector<int>{0, 2}));
  EXPECT_NE(
      refusal(lattice("[3, 1, 1]") + pull + R"(, "points": [3]}]})").find("/forces/0/points/0"),
      std::string::npos);
}

TEST(SoftScene, a_led_body_stands_on_its_path) {
  const auto built = world(R"("bodies": [{"name": "b", "shape": {"kind": "ball", "radius": 1},
      "path": {"times": [-1, 1], "places": [{"position": [0, 0, 0]}, {"position": [0, 0, 4]}]}}]})");
  ASSERT_TRUE(built) << built.error().text();
  EXPECT_EQ(built->state.bodies[0].world_from_body.position, Vec3(0, 0, 2));
  EXPECT_TRUE(built->problem.bodies[0].held());
  EXPECT_FALSE(built->problem.bodies[0].fixed);
}

TEST(SoftScene, bad_soft_bodies_are_refused_with_their_place) {
  const auto says = [](const std::string& rest, const std::string& words) {
    const std::string text = refusal(rest);
    EXPECT_NE(text.find(words), std::string::npos) << text;
  };
  says(R"("materials": {"m": {"young_modulus": -1}}, )" + lattice("[2, 2, 2]") + "}",
       "/materials/m/young_modulus");
  says(R"("materials": {"m": {"poisson_ratio": 0.5}}, )" + lattice("[2, 2, 2]") + "}",
       "/materials/m/poisson_ratio");
  says(lattice("[2, 0, 2]") + "}", "/bodies/0/shape/counts/1");
  says(lattice("[4000, 4000, 4000]") + "}", "/bodies/0/shape/counts");
  says(lattice("[2, 2, 2]", R"(, "soft": {"fixed_points": [8]})") + "}",
       "/bodies/0/soft/fixed_points/0");
  says(lattice("[2, 2, 2]", R"(, "soft": {"materials": ["x"], "material_of": [0]})") + "}",
       "/bodies/0/soft/materials/0");
  says(lattice("[2, 2, 2]", R"(, "path": {"times": [0], "places": [{}]})") + "}", "/bodies/0/path");
  says(R"("bodies": [{"name": "b", "shape": {"kind": "ball", "radius": 1}, "soft": {}}]})",
       "/bodies/0/soft");
  says(R"("bodies": [{"name": "b", "shape": {"kind": "sphere_set", "centers": [[0, 0, 1], [0, 0, 0],
          [0, 0, 1]], "radii": [1, 1, 1]}}]})",
       "/bodies/0/shape/centers/2");
  says(
      R"("bodies": [{"name": "b", "shape": {"kind": "sphere_set", "centers": [[0, 0, 1], [0, 0, 0]],
          "radii": [1, 0]}}]})",
      "/bodies/0/shape/radii/1");
  says(R"("bodies": [{"name": "b", "shape": {"kind": "fill", "shape": {"kind": "half_space"},
          "pitch": 1, "radius": 1}}]})",
       "/bodies/0/shape/shape");
  says(R"("bodies": [{"name": "b", "shape": {"kind": "fill", "shape": {"kind": "ball", "radius": 1},
          "pitch": 5, "radius": 1}}]})",
       "/bodies/0/shape/pitch");
  says(lattice("[2, 2, 2]") +
           R"(, "forces": [{"kind": "pull", "body": "b", "times": [1, 1], "vectors": [[0, 0, 0],
              [0, 0, 0]]}]})",
       "/forces/0/times");
}

TEST(SoftScene, what_is_written_reads_back_the_same) {
  const auto scene = sample::scene(R"({"repose": 1, "materials": {"m": {"young_modulus": 15000,
      "damping": 0.01, "drag": 0.5}}, )" +
                                   lattice("[2, 2, 1]", R"(, "material": "m", "soft": {
      "fixed": "border", "fixed_points": [1], "materials": ["m"], "material_of": [0, 0, 0, 0]})") +
                                   R"(, "forces": [{"kind": "pull", "body": "b", "points": [2],
      "times": [0, 1], "vectors": [[0, 0, 0], [0, 1, 0]]}]})");
  ASSERT_TRUE(scene) << scene.error().text();
  const auto again = sample::scene(write_scene(*scene));
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_TRUE(same_scene(*scene, *again));
  EXPECT_EQ(write_scene(*scene), write_scene(*again));
}

}  // namespace
}  // namespace repose
