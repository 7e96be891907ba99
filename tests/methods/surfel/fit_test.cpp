#include "methods/surfel/fit.h"

#include <gtest/gtest.h>

#include "repose/base/random.h"
#include "repose/shape/cover.h"

#include "soft_world.h"

namespace repose::surfel {
namespace {

TEST(surfel_fit, balls_follow_every_linear_motion) {
  const World world = world_of(scene_text(cube("cube", 0.1, 0.0125, "gel", Vec3::Zero())));
  auto arena = prepare_arena(world.problem, world.state, SurfelSettings{});
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
    for (const Carrier& carrier : arena->carrying(b)) sizes += std::fabs(carrier.weight);
    weights = std::max(weights, sizes);
  }
  EXPECT_LT(weights, 4.0);
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
