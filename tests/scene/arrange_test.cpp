// Bodies put into containers: where they may stand, how many there are, how large they are.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "repose/shape/tessellate.h"

#include "sample.h"

namespace repose {
namespace {

constexpr double kPi = std::numbers::pi;

/// Containers of every kind, each with the volume of its hollow (m^3).
struct Container {
  const char* bodies;
  const char* names;
  double volume;
};
const Container kBox{
    R"({"name": "left", "fixed": true, "shape": {"kind": "box", "size": [0.1, 1.2, 1]}, "position": [-0.55, 0, 0.5]},
       {"name": "right", "fixed": true, "shape": {"kind": "box", "size": [0.1, 1.2, 1]}, "position": [0.55, 0, 0.5]},
       {"name": "front", "fixed": true, "shape": {"kind": "box", "size": [1, 0.1, 1]}, "position": [0, -0.55, 0.5]},
       {"name": "back", "fixed": true, "shape": {"kind": "box", "size": [1, 0.1, 1]}, "position": [0, 0.55, 0.5]},
       {"name": "ground", "fixed": true, "shape": {"kind": "half_space"}})",
    R"(["left", "right", "front", "back"])", 1.0};
const Container kCylinder{
    R"({"name": "pot", "fixed": true, "shape": {"kind": "revolution", "corners": [1, 2, 3, 4],
        "profile": [[0, 0], [0.6, 0], [0.6, 1], [0.5, 1], [0.5, 0.1], [0, 0.1]]}})",
    R"(["pot"])", kPi * 0.25 * 0.9};
/// A round hollow in a cylinder of radius and height 0.6; `volume` is what the material leaves.
const Container kBowl{
    R"({"name": "bowl", "fixed": true, "shape": {"kind": "revolution", "corners": [1, 2, 3],
        "profile": [[0, 0], [0.6, 0], [0.6, 0.6], [0.5, 0.6], [0.433, 0.35], [0.25, 0.16699], [0, 0.1]]}})",
    R"(["bowl"])", kPi * 0.36 * 0.6 - 0.4196816};
const Container kSheet{
    R"({"name": "cup", "fixed": true, "shape": {"kind": "mesh", "open": true,
        "points": [[-0.5,-0.5,0],[0.5,-0.5,0],[0.5,0.5,0],[-0.5,0.5,0],[-0.5,-0.5,1],[0.5,-0.5,1],[0.5,0.5,1],[-0.5,0.5,1]],
        "triangles": [[0,2,1],[0,3,2],[0,1,5],[0,5,4],[1,2,6],[1,6,5],[2,3,7],[2,7,6],[3,0,4],[3,4,7]]}})",
    R"(["cup"])", 1.0};

Result<World> filled(const Container& container, const std::string& arrange,
                     const std::string& shape = R"({"kind": "ball", "radius": 0.05})") {
  const auto scene =
      sample::scene(std::string("{\"repose\": 1,\n\"bodies\": [") + container.bodies +
                    "],\n\"instances\": [{\"name\": \"b\", \"body\": {\"shape\": " + shape +
                    "}, \"arrange\": {" + arrange + ", \"container\": " + container.names + "}}]}");
  if (!scene) return scene.error();
  return build_world(*scene);
}

struct Standing {
  Vec3 center;
  double radius;
};
std::vector<Standing> movable(const World& world) {
  std::vector<Standing> out;
  for (std::size_t i = 0; i < world.problem.bodies.size(); ++i) {
    const Body& body = world.problem.bodies[i];
    if (body.fixed) continue;
    out.push_back({world.state.bodies[i].world_from_body * body.shape->bounding_center,
                   body.shape->bounding_radius});
  }
  return out;
}

/// Largest overlap of two bounding balls, or of one with a fixed body, m.
double worst_overlap(const World& world) {
  const auto all = movable(world);
  double worst = 0.0;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      worst =
          std::max(worst, all[i].radius + all[j].radius - (all[i].center - all[j].center).norm());
  for (std::size_t i = 0; i < world.problem.bodies.size(); ++i) {
    const Body& body = world.problem.bodies[i];
    if (!body.fixed) continue;
    // points of the true surface, finely spread
    shape::TessellateSettings fine;
    fine.chord_fraction = 1e-3;
    const shape::Tessellation mesh = shape::tessellate(*body.shape, fine);
    const Pose inverse = world.state.bodies[i].world_from_body.inverse();
    for (const Standing& s : all) {
      const Vec3 center = inverse * s.center;
      if (std::holds_alternative<shape::HalfSpace>(body.shape->geometry))
        worst = std::max(worst, s.radius - center.z());
      else
        for (const Vec3& p : mesh.points) worst = std::max(worst, s.radius - (p - center).norm());
    }
  }
  return worst;
}

TEST(Arrange, a_pour_fills_any_container_without_overlap_and_repeats_by_seed) {
  for (const Container& container : {kBox, kCylinder, kBowl, kSheet}) {
    const std::string asked = R"("kind": "pour", "count": 150, "seed": )";
    const auto world = filled(container, asked + "7");
    ASSERT_TRUE(world) << world.error().text();
    const auto bodies = movable(*world);
    ASSERT_EQ(bodies.size(), 150U);
    EXPECT_LE(worst_overlap(*world), 1e-12) << container.names;
    for (const Standing& s : bodies) {
      EXPECT_GT(s.center.z(), 0.0);
      EXPECT_LT(std::max(std::fabs(s.center.x()), std::fabs(s.center.y())), 0.5);
    }
    const auto again = filled(container, asked + "7"), other = filled(container, asked + "8");
    EXPECT_EQ(state_hash(world->state), state_hash(again->state));
    EXPECT_NE(state_hash(world->state), state_hash(other->state));
  }
}

TEST(Arrange, a_pour_keeps_clear_of_a_narrow_rim) {
  // the flat rim's coarse triangles reach over the hollow
  const Container dish{
      R"({"name": "dish", "fixed": true, "shape": {"kind": "revolution", "corners": [1, 2, 3],
          "profile": [[0, 0], [0.06, 0], [0.12, 0.09], [0.115, 0.09], [0.09, 0.04], [0.05, 0.015], [0, 0.01]]}})",
      R"(["dish"])", 0.0};
  const auto world = filled(dish, R"("kind": "pour", "packing": 0.5, "seed": 4, "clearance": 0.0005,
               "sizes": {"kind": "log_normal", "median": 0.009, "deviation": 0.3, "low": 0.005, "high": 0.016})");
  ASSERT_TRUE(world) << world.error().text();
  EXPECT_GT(movable(*world).size(), 100U);
  EXPECT_LE(worst_overlap(*world), 0.0);
}

TEST(Arrange, a_mixture_is_even_at_every_height_and_keeps_its_shares) {
  const auto scene = sample::scene(
      std::string("{\"repose\": 1,\n\"bodies\": [") + kBox.bodies +
      R"(], "instances": [{"name": "b", "body": {"shape": {"kind": "ball", "radius": 0.05}},
        "mixed_with": [{"body": {"shape": {"kind": "box", "size": [0.05, 0.05, 0.05]}}, "share": 2},
                       {"body": {"shape": {"kind": "ball", "radius": 0.02}}, "share": 1}],
        "arrange": {"kind": "pour", "count": 120, "container": )" +
      kBox.names + "}}]}");
  ASSERT_TRUE(scene) << scene.error().text();
  const auto world = build_world(*scene);
  ASSERT_TRUE(world) << world.error().text();
  EXPECT_LE(worst_overlap(*world), 0.0);
  std::array<std::array<int, 3>, 2> count{};  // first and second half, by pattern
  int number = 0;
  for (const Body& body : world->problem.bodies) {
    if (body.fixed) continue;
    const auto* ball = std::get_if<shape::Ball>(&body.shape->geometry);
    const std::size_t pattern = ball == nullptr ? 1 : ball->radius > 0.03 ? 0 : 2;
    ++count[number++ < 60 ? 0 : 1][pattern];
  }
  for (const auto& half : count) EXPECT_EQ(half, (std::array{15, 30, 15}));
}

TEST(Arrange, patterns_of_a_mixture_are_checked_where_they_stand) {
  const auto wrong = [](const std::string& mixed) {
    const auto scene = sample::scene(
        R"({"repose": 1, "instances": [{"name": "b", "body": {"shape": {"kind": "ball", "radius": 1}},
          "mixed_with": )" +
        mixed +
        R"(, "arrange": {"kind": "line", "count": 3, "from": [0, 0, 0], "to": [9, 0, 0]}}]})");
    return scene ? std::string("none") : scene.error().text();
  };
  EXPECT_NE(wrong(R"([{"body": {"shape": "brik"}}])").find("/instances/0/mixed_with/0/body/shape"),
            std::string::npos);
  EXPECT_NE(wrong(R"([{"body": {"shape": {"kind": "ball", "radius": 1}}, "share": 0}])")
                .find("/instances/0/mixed_with/0/share"),
            std::string::npos);
  EXPECT_NE(wrong(R"([[]])").find("docs/scene-format.md"), std::string::npos);
}

TEST(Arrange, a_packing_fraction_decides_how_many_bodies_there_are) {
  const double ball = 4.0 / 3.0 * kPi * 0.05 * 0.05 * 0.05;
  for (const Container& container : {kBox, kCylinder, kBowl, kSheet})
    for (const double packing : {0.1, 0.6}) {
      const auto world =
          filled(container, R"("kind": "pour", "packing": )" + std::to_string(packing));
      ASSERT_TRUE(world) << world.error().text();
      const double got = static_cast<double>(movable(*world).size()) * ball / container.volume;
      // half a ball, and the hollow's volume to two percent where it is round
      EXPECT_NEAR(got, packing, 0.5 * ball / container.volume + 0.02 * packing) << container.names;
    }
}

TEST(Arrange, turned_bodies_are_poured_too) {
  const auto world = filled(kBowl, R"("kind": "pour", "count": 40)",
                            R"({"kind": "box", "size": [0.1, 0.06, 0.04]})");
  ASSERT_TRUE(world) << world.error().text();
  EXPECT_EQ(movable(*world).size(), 40U);
  EXPECT_LE(worst_overlap(*world), 1e-12);
}

TEST(Arrange, a_grid_fills_only_places_in_the_hollow) {
  const auto world =
      filled(kCylinder, R"("kind": "grid", "counts": [11, 11, 8], "spacing": [0.11, 0.11, 0.11],
                    "origin": [-0.55, -0.55, 0.16], "jitter": 0.004, "seed": 3)");
  ASSERT_TRUE(world) << world.error().text();
  const auto bodies = movable(*world);
  EXPECT_GT(bodies.size(), 300U);
  EXPECT_LE(worst_overlap(*world), 1e-12);
  for (const Standing& s : bodies) EXPECT_LT(std::hypot(s.center.x(), s.center.y()), 0.45);
}

/// Radii of 4000 bodies, in order of size.
std::vector<double> drawn_radii(const std::string& sizes) {
  const auto scene = sample::scene(
      R"({"repose": 1, "instances": [{"name": "b", "body": {"shape": {"kind": "ball", "radius": 1}},
          "arrange": {"kind": "scatter", "count": 4000, "low": [0, 0, 0], "high": [3, 3, 3], "sizes": )" +
      sizes + "}}]}");
  EXPECT_TRUE(scene) << scene.error().text();
  const auto world = build_world(*scene);
  EXPECT_TRUE(world) << world.error().text();
  std::vector<double> out;
  for (const Body& body : world->problem.bodies) out.push_back(body.shape->bounding_radius);
  std::sort(out.begin(), out.end());
  return out;
}

TEST(Arrange, radii_have_the_distribution_that_is_asked_for) {
  const auto even = drawn_radii(R"({"kind": "uniform", "low": 0.02, "high": 0.04})");
  EXPECT_GE(even.front(), 0.02);
  EXPECT_LE(even.back(), 0.04);
  for (const double share : {0.1, 0.5, 0.9})
    EXPECT_NEAR(even[static_cast<std::size_t>(share * 4000)], 0.02 + 0.02 * share, 8e-4);
  const auto normal = drawn_radii(
      R"({"kind": "log_normal", "median": 0.02, "deviation": 0.4, "low": 0.005, "high": 0.08})");
  EXPECT_NEAR(normal[2000], 0.02, 8e-4);
  // one deviation above the median: 84.13 percent
  EXPECT_NEAR(normal[3365], 0.02 * std::exp(0.4), 1.5e-3);
  EXPECT_NEAR(normal[635], 0.02 * std::exp(-0.4), 1.5e-3);
  const auto listed = drawn_radii(R"({"kind": "list", "radii": [0.03, 0.01], "shares": [1, 3]})");
  const auto small = std::count(listed.begin(), listed.end(), 0.01);
  EXPECT_NEAR(static_cast<double>(small) / 4000.0, 0.75, 0.03);
  EXPECT_EQ(small + std::count(listed.begin(), listed.end(), 0.03), 4000);
}

TEST(Arrange, mistakes_have_their_place) {
  const auto wrong = [](const std::string& arrange, const char* pointer) {
    const auto world = filled(kSheet, arrange);
    ASSERT_FALSE(world);
    EXPECT_EQ(world.error().pointer, std::string("/instances/0/arrange") + pointer)
        << world.error().text();
    EXPECT_GT(world.error().line, 0);
    EXPECT_FALSE(world.error().right.empty());
  };
  wrong(R"("kind": "pour")", "");
  wrong(R"("kind": "pour", "count": 3, "packing": 0.5)", "");
  wrong(R"("kind": "pour", "packing": 1.5)", "/packing");
  wrong(R"("kind": "pour", "count": 3, "sizes": {"kind": "uniform", "low": 2, "high": 1})",
        "/sizes/high");
  wrong(R"("kind": "pour", "count": 3, "sizes": {"kind": "list", "radii": [1], "shares": [1, 1]})",
        "/sizes/shares");
  // it does not fit the opening
  wrong(R"("kind": "pour", "count": 3, "sizes": {"kind": "uniform", "low": 0.6, "high": 0.7})", "");
  Container nameless = kSheet;
  nameless.names = R"(["cap"])";
  const auto world = filled(nameless, R"("kind": "pour", "count": 3)");
  ASSERT_FALSE(world);
  EXPECT_EQ(world.error().pointer, "/instances/0/arrange/container/0");
  EXPECT_NE(world.error().right.find("cup"), std::string::npos) << world.error().text();
}

}  // namespace
}  // namespace repose
