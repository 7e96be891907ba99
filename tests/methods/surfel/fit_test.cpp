#include "methods/surfel/fit.h"

#include <gtest/gtest.h>

#include "repose/base/random.h"
#include "repose/shape/cover.h"

#include "soft_world.h"

namespace repose::surfel {
namespace {

TEST(surfel_fit, balls_follow_every_linear_motion) {
  const World world = world_of(scene_text(cube("cube", 0.1, 0.0125, "gel", Vec3::Zero())));
  auto arena = prepare_arena(world.problem, SurfelSettings{});
  ASSERT_TRUE(arena);
  Random random(3);
  Mat3 by;
  for (int c = 0; c < 3; ++c) by.col(c) = random_direction(random);
  const Vec3 shift = random_direction(random);
  std::vector<Vec3> x;
  for (const Vec3& p : arena->rest) x.push_back(by * p + shift);
  const std::vector<Vec3> centers = at_balls(*arena, x);
  double weights = 0.0;
  for (int b = 0; b < arena->balls(); ++b) {
    const auto k = static_cast<std::size_t>(b);
    EXPECT_LT((centers[k] - (by * arena->rest_center[k] + shift)).norm(), 1e-12);
    double sizes = 0.0;
    for (const double weight : arena->carrying(b).weights) sizes += std::fabs(weight);
    weights = std::max(weights, sizes);
  }
  EXPECT_LT(weights, 4.0);
}

TEST(surfel_fit, the_ball_of_a_phyxel_goes_with_it_alone) {
  const World world = world_of(scene_text(cube("cube", 0.1, 0.0125, "gel", Vec3::Zero())));
  auto arena = prepare_arena(world.problem, SurfelSettings{});
  ASSERT_TRUE(arena);
  const collide::NearestPoints grid(arena->rest);
  Random random(5);
  std::vector<Vec3> x;
  for (const Vec3& p : arena->rest) x.push_back(p + 0.01 * random_direction(random));
  for (const std::size_t i : {std::size_t{0}, x.size() / 2, x.size() - 1}) {
    Vec3 center = Vec3::Zero(), slopes = Vec3::Zero();
    Mat3 ways = Mat3::Zero();
    for (const Carrier& carrier : fit_carriers(arena->rest, grid, arena->rest[i])) {
      const auto k = static_cast<std::size_t>(carrier.phyxel);
      center += carrier.weight * x[k];
      slopes += carrier.slope;
      ways += arena->rest[k] * carrier.slope.transpose();
    }
    EXPECT_EQ(center, x[i]);
    // its gradient is that of the neighbourhood, exact where the displacement is linear
    EXPECT_LT(slopes.norm(), 1e-9 / 0.0125);
    EXPECT_LT((ways - Mat3::Identity()).norm(), 1e-9);
  }
}

TEST(surfel_fit, a_flat_cloud_is_told_apart) {
  std::vector<Vec3> flat;
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j) flat.emplace_back(i, j, 0.0);
  int phyxel = -1;
  EXPECT_FALSE(fit_neighbours(flat, 16, phyxel));
  EXPECT_GE(phyxel, 0);
  EXPECT_TRUE(fit_carriers(flat, collide::NearestPoints(flat), Vec3(1.0, 1.0, 0.5)).empty());
}

}  // namespace
}  // namespace repose::surfel
