// Bodies of every kind sunk a known depth into the flat top of one that is not convex.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "repose/check/gap.h"
#include "repose/shape/make.h"

#include "check/shapes.h"

namespace repose::check {
namespace {

/// A block 4 x 4 x 2 with a notch cut out of one side: top at z = 0.
shape::ShapePtr notched() {
  const std::vector<Vec2> outline{{-2, -2},   {2, -2},     {2, 2},    {0.5, 2},
                                  {0.5, 1.6}, {-0.5, 1.6}, {-0.5, 2}, {-2, 2}};
  std::vector<Vec3> points;
  for (const double z : {-2.0, 0.0})
    for (const Vec2& p : outline) points.push_back({p.x(), p.y(), z});
  std::vector<std::array<int, 3>> triangles;
  for (int k = 0; k < 8; ++k) {
    const int next = (k + 1) % 8;
    triangles.push_back({k, next, next + 8});
    triangles.push_back({k, next + 8, k + 8});
  }
  for (const auto& [a, b, c] :
       {std::array{0, 1, 5}, {1, 4, 5}, {1, 2, 4}, {2, 3, 4}, {0, 5, 6}, {0, 6, 7}}) {
    triangles.push_back({a, c, b});
    triangles.push_back({a + 8, b + 8, c + 8});
  }
  return mesh(points, triangles);
}

shape::ShapePtr vase() {
  shape::RevolutionInput in;
  in.profile = {{0.5, 0.0}, {0.7, 0.5}, {0.3, 1.1}, {0.4, 1.5}, {0.0, 1.6}};
  in.corners = {0, 3};
  return shape::make_revolution(in).value();
}

/// A cube of six flat bicubic patches of half size 0.5.
shape::ShapePtr bezier_cube() {
  shape::BezierInput in;
  for (int axis = 0; axis < 3; ++axis)
    for (const double sign : {-1.0, 1.0}) {
      std::array<std::array<Vec3, 4>, 4> net;
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
          Vec3 p;
          p[axis] = 0.5 * sign;
          p[(axis + 1) % 3] = 0.5 * (2.0 * i / 3.0 - 1.0) * sign;
          p[(axis + 2) % 3] = 0.5 * (2.0 * j / 3.0 - 1.0);
          net[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = p;
        }
      in.patches.push_back(net);
    }
  return shape::make_bezier(in).value();
}

struct Sunk {
  const char* name;
  shape::ShapePtr shape;
  double rise;  // of its origin over its lowest point
  Quat turn = Quat::Identity();
};

std::vector<Sunk> bodies() {
  const Quat over = rotation_from_vector(Vec3(std::numbers::pi / 2, 0, 0));
  return {
      {"ball", ball(0.5), 0.5},
      {"torus", shape::make_torus({0.6, 0.2}).value(), 0.2},
      {"torus on edge", shape::make_torus({0.6, 0.2}).value(), 0.8, over},
      {"ellipsoid", shape::make_ellipsoid({Vec3(0.6, 0.5, 0.4)}).value(), 0.4},
      {"capsule", shape::make_capsule({0.3, 0.8}).value(), 0.3, over},
      {"box", shape::make_box({Vec3(0.8, 0.6, 1.0)}).value(), 0.5},
      {"vase", vase(), 0.0},
      {"bezier", bezier_cube(), 0.5},
      {"notched", notched(), 2.0},
      {"superellipsoid", shape::make_superellipsoid({Vec3(0.5, 0.5, 0.5), 0.6, 0.7}).value(), 0.5}};
}

TEST(Sunk, shallow_depths_are_bracketed_whoever_comes_first_and_wherever) {
  const auto block = notched();
  Random random(151);
  for (const Sunk& body : bodies())
    for (const double deep : {-1e-3, 1e-2}) {
      const Pose by = deep < 0.0 ? Pose{} : Pose{random_direction(random), random_rotation(random)};
      PlacedBody a = at(block, Vec3::Zero()),
                 b = at(body.shape, Vec3(0.3, -0.4, body.rise - deep), body.turn);
      a.world_from_body = by * a.world_from_body;
      b.world_from_body = by * b.world_from_body;
      const double size = std::min(a.size(), b.size());
      const GapSettings settings{.width = 1e-6};
      const GapBracket g = gap(a, b, settings), back = gap(b, a, settings);
      for (const GapBracket& x : {g, back}) {
        EXPECT_LE(x.lower, -deep + 1e-10) << body.name << ' ' << deep;
        EXPECT_GE(x.upper, -deep - 1e-10) << body.name << ' ' << deep;
        EXPECT_LE(x.lower, x.upper + 1e-12);
        EXPECT_NE(x.status, GapStatus::undecided) << body.name << ' ' << deep;
        EXPECT_LT(x.tests, 60'000) << body.name << ' ' << deep;
        EXPECT_NEAR(x.normal_a_to_b.norm(), 1.0, 1e-9);
        if (deep < 0.0) {
          EXPECT_EQ(x.status, GapStatus::closed) << body.name;
          EXPECT_NEAR(x.upper, -deep, 1.01e-6 * size) << body.name;
          EXPECT_NEAR((x.point_a - x.point_b).norm(), -deep, 3e-6) << body.name;
        } else {
          EXPECT_LE(x.upper, -0.5 * deep) << body.name << ' ' << deep;
          if (x.status == GapStatus::closed) {
            EXPECT_NEAR(x.lower, -deep, 3e-6 * size) << body.name << ' ' << deep;
          }
        }
      }
    }
}

TEST(Sunk, one_body_within_another_is_overlap_and_one_in_its_hollow_is_not) {
  const auto block = notched();
  const auto shell = shape::make_torus({1.5, 0.45}).value();
  for (const Sunk& body : bodies()) {
    if (body.shape->bounding_radius > 1.0 || std::string(body.name) == "vase") continue;
    // deep inside, clear of the surface: half its size
    PlacedBody in = at(body.shape, Vec3(0.2, -0.3, -1.0), body.turn);
    const GapBracket g = gap(at(block, Vec3::Zero()), in, {.width = 1e-6});
    EXPECT_EQ(g.status, GapStatus::overlap) << body.name;
    EXPECT_LT(g.upper, -0.1) << body.name << ' ' << g.upper;
    EXPECT_LT(gap(in, at(block, Vec3::Zero()), {.width = 1e-6}).upper, -0.1) << body.name;
    // in the ring's hole: clear
    if (body.shape->bounding_radius > 0.85) continue;
    const GapBracket hole =
        gap(at(shell, Vec3::Zero()), at(body.shape, Vec3::Zero(), body.turn), {.width = 1e-4});
    EXPECT_GT(hole.lower, 0.1) << body.name;
    EXPECT_EQ(hole.status, GapStatus::closed) << body.name;
  }
}

}  // namespace
}  // namespace repose::check
