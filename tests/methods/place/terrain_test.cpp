// Bodies on meshes whose triangles are smaller than they are: hills, valleys, ridges.
#include <cmath>

#include "methods/place/place_scene.h"

namespace repose::place {
namespace {

/// A basin of 12 by 12 squares with hills in it, 4 wide, times `scale`; a block down to z = -1.
shape::MeshInput basin(double scale) {
  constexpr int kCells = 12, kRow = kCells + 1;
  shape::MeshInput out;
  auto& points = out.mesh.points;
  auto& triangles = out.mesh.triangles;
  for (const bool top : {true, false})
    for (int i = 0; i < kRow; ++i)
      for (int j = 0; j < kRow; ++j) {
        const double x = 4.0 * i / kCells - 2.0, y = 4.0 * j / kCells - 2.0;
        const double z = 0.3 * (x * x + y * y) + 0.08 * std::sin(4.0 * x + 1.0) * std::cos(3.0 * y);
        points.push_back(scale * Vec3(x, y, top ? z : -1.0));
      }
  const auto quad = [&](int a, int b, int c, int d) {
    triangles.push_back({a, b, c});
    triangles.push_back({a, c, d});
  };
  constexpr int kUnder = kRow * kRow;
  for (int i = 0; i < kCells; ++i)
    for (int j = 0; j < kCells; ++j) {
      const int a = i * kRow + j, b = a + kRow;
      quad(a, b, b + 1, a + 1);
      quad(kUnder + a, kUnder + a + 1, kUnder + b + 1, kUnder + b);
    }
  for (int k = 0; k < kCells; ++k) {
    const auto wall = [&](int from, int to) { quad(from, kUnder + from, kUnder + to, to); };
    wall(k * kRow, (k + 1) * kRow);
    wall(kCells * kRow + k, kCells * kRow + k + 1);
    wall((kCells - k) * kRow + kCells, (kCells - k - 1) * kRow + kCells);
    wall(kCells - k, kCells - k - 1);
  }
  return out;
}

class OnTerrain : public testing::TestWithParam<double> {};

TEST_P(OnTerrain, round_bodies_come_to_rest_in_its_valleys) {
  const double s = GetParam();
  for (const auto& shape :
       {shape::make_ball({0.5 * s}), shape::make_ellipsoid({s * Vec3(0.6, 0.45, 0.35)}),
        shape::make_capsule({0.25 * s, 0.7 * s})}) {
    PlaceScene scene;
    scene.scale = s;
    scene.add(shape::make_mesh(basin(s)), {}, true);
    scene.add(shape, {Vec3(0.3, -0.2, 1.6), rotation_from_vector(Vec3(0.4, 0.7, 0.2))}, false);
    const StepReport report = scene.run();
    EXPECT_TRUE(report.status == RunStatus::rest || report.status == RunStatus::metastable)
        << report.why << " at scale " << s;
  }
}

TEST_P(OnTerrain, sharp_bodies_tip_over_a_corner_and_come_to_rest_in_a_hollow_and_on_a_block) {
  const double s = GetParam();
  const auto hollow =
      shape::make_revolution({{s * Vec2(0, -0.5), s * Vec2(3, -0.5), s * Vec2(3, 2.2),
                               s * Vec2(2.2, 1.2), s * Vec2(1.2, 0.3), s * Vec2(0, 0)},
                              {1, 2}});
  const auto block = shape::make_box({s * Vec3(4.0, 3.5, 1.0)});
  const auto pyramid = shape::make_convex({{s * Vec3(0.6, 0.5, -0.4), s * Vec3(-0.6, 0.5, -0.4),
                                            s * Vec3(0.0, -0.7, -0.4), s * Vec3(0.1, 0.1, 0.8)},
                                           {}});
  for (const auto& below : {hollow, block})
    for (const double turn : {0.3, 1.1}) {
      PlaceScene scene;
      scene.scale = s;
      scene.add(below, {}, true);
      scene.add(pyramid, {Vec3(0.1, 0.05, 2.0), rotation_from_vector(Vec3(turn, 0.4, 0.2))}, false);
      const StepReport report = scene.run({}, 60);
      EXPECT_EQ(report.status, RunStatus::rest) << report.why << " at scale " << s;
    }
}

INSTANTIATE_TEST_SUITE_P(Place, OnTerrain, testing::Values(1e-3, 1.0, 1e3));

TEST(Terrain, edges_come_to_rest_across_corners_and_corners_in_valleys) {
  const auto wedge =
      shape::make_convex({{Vec3(0.7, 0.1, -0.3), Vec3(-0.6, 0.2, -0.3), Vec3(0.1, -0.5, -0.2),
                           Vec3(0.5, 0.3, 0.4), Vec3(-0.4, -0.3, 0.3)},
                          {}});
  for (const auto& shape :
       {shape::make_box({Vec3(0.9, 0.6, 0.5)}), shape::make_cone({0.4, 0.9}), wedge}) {
    PlaceScene scene;
    scene.add(shape::make_mesh(basin(1.0)), {}, true);
    scene.add(shape, {Vec3(0.2, -0.3, 1.7), rotation_from_vector(Vec3(0.4, 0.7, 0.2))}, false);
    const StepReport report = scene.run({}, 100);
    EXPECT_TRUE(report.status == RunStatus::rest || report.status == RunStatus::metastable)
        << report.why;
  }
}

}  // namespace
}  // namespace repose::place
