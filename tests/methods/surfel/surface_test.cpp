// What is held within a body's surface.
#include "methods/surfel/surface.h"

#include <gtest/gtest.h>

#include "repose/base/at.h"

#include "methods/surfel/padded.h"
#include "soft_world.h"

namespace repose::surfel {
namespace {

/// The phyxel below the middle of the upper face of a cube about the origin.
int below_upper_face(const Arena& arena) {
  int out = 0;
  const auto score = [&](int i) {
    const Vec3& p = arena.rest[at(i)];
    return p.z() - p.head<2>().norm();
  };
  for (int i = 0; i < arena.phyxels(); ++i)
    if (score(i) > score(out)) out = i;
  return out;
}

TEST(surfel_surface, a_phyxel_comes_loose_outwards_and_lies_behind_its_ball_inwards) {
  const World world = world_of(scene_text(cube("cube", 0.1, 0.01, "gel", Vec3::Zero())));
  const auto arena = prepare_arena(world.problem, SurfelSettings{});
  ASSERT_TRUE(arena);
  const int phyxel = below_upper_face(*arena);
  const int ball = arena->holder[at(phyxel)];
  ASSERT_GE(ball, 0);
  // the body has turned: outwards is another way than at rest
  const Mat3 turn = Eigen::AngleAxisd(2.0, Vec3(1.0, 2.0, -0.5).normalized()).toRotationMatrix();
  const auto is_loose_at = [&](double along) {
    std::vector<Vec3> x;
    for (const Vec3& p : arena->rest) x.emplace_back(turn * p);
    x[at(phyxel)] += along * arena->radius[at(ball)] * (turn * arena->rest_normal[at(ball)]);
    std::vector<Vec4> padded;
    pad(x, padded);
    return is_loose(*arena, padded, phyxel);
  };
  EXPECT_FALSE(is_loose_at(0.0));
  EXPECT_TRUE(is_loose_at(2.0));
  EXPECT_FALSE(is_loose_at(-2.0));
}

}  // namespace
}  // namespace repose::surfel
