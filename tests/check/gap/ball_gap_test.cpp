#include <algorithm>

#include <gtest/gtest.h>

#include "repose/base/stage_clock.h"
#include "repose/check/gap.h"
#include "repose/check/near_pairs.h"

#include "check/items.h"

namespace repose::check {
namespace {

TEST(BallGap, bracket_holds_the_closed_form_at_every_scale) {
  Random random(3);
  for (const double scale : {1e-3, 1.0, 1e3}) {
    for (int k = 0; k < 200; ++k) {
      const double ra = scale * random.between(0.1, 2.0), rb = scale * random.between(0.1, 2.0);
      const double wanted = scale * (k % 2 ? 1e-9 : 1e-2) * random.between(-1.0, 1.0);
      const Vec3 c = scale * 5.0 * random_direction(random);
      const Vec3 d = random_direction(random);
      const GapBracket g = gap(at(ball(ra), c), at(ball(rb), c + (ra + rb + wanted) * d));
      EXPECT_LE(g.lower, wanted + 1e-14 * scale);
      EXPECT_GE(g.upper, wanted - 1e-14 * scale);
      EXPECT_LE(g.width(), 1e-13 * scale);
      EXPECT_NEAR(g.normal_a_to_b.dot(d), 1.0, 1e-12);
    }
  }
}

TEST(BallGap, a_nested_ball_is_an_overlap) {
  const GapBracket g = gap(at(ball(2.0), Vec3::Zero()), at(ball(0.5), Vec3(0.3, 0, 0)));
  EXPECT_NEAR(g.upper, -2.0, 1e-12);
}

TEST(BallGap, two_balls_in_one_place_overlap_by_their_radius) {
  const GapBracket g = gap(at(ball(2.0), Vec3::Zero()), at(ball(2.0), Vec3::Zero()));
  EXPECT_NEAR(g.upper, -2.0, 1e-12);
}

TEST(BallGap, ground_may_lie_any_way) {
  Random random(4);
  for (int k = 0; k < 100; ++k) {
    PlacedBody floor = at(ground(), random_direction(random), random_rotation(random));
    const Vec3 up = floor.world_from_body.turn(Vec3::UnitZ());
    const Vec3 side = floor.world_from_body.turn(Vec3(random.unit(), random.unit(), 0.0));
    const double wanted = 1e-9 * random.between(-1.0, 1.0);
    const PlacedBody b = at(ball(0.7), floor.world_from_body.position + side + (0.7 + wanted) * up);
    const GapBracket g = gap(floor, b), back = gap(b, floor);
    EXPECT_NEAR(g.lower, wanted, 1e-13);
    EXPECT_LE(g.lower, g.upper);
    EXPECT_EQ(g.lower, back.lower);
    EXPECT_EQ(g.point_a, back.point_b);
  }
}

TEST(NearPairs, finds_every_close_pair_and_ten_thousand_balls_in_a_second) {
  Random random(5);
  std::vector<PlacedBody> bodies{at(ground(), Vec3::Zero())};
  bodies[0].fixed = true;
  for (int i = 0; i < 2000; ++i)
    bodies.push_back(at(ball(random.between(0.1, 0.6)),
                        12.0 * Vec3(random.unit(), random.unit(), random.unit())));
  const auto pairs = near_pairs(bodies, 0.0);
  std::size_t close = 0;
  for (int i = 0; i < 2001; ++i) {
    for (int j = i + 1; j < 2001; ++j) {
      const auto& a = bodies[static_cast<std::size_t>(i)];
      if (gap(a, bodies[static_cast<std::size_t>(j)]).lower > 0.0) continue;
      ++close;
      EXPECT_TRUE(std::binary_search(pairs.begin(), pairs.end(), std::array<int, 2>{i, j}));
    }
  }
  EXPECT_GT(close, 1000u);
  EXPECT_LE(pairs.size(), close + 10);

  const auto shared = ball(1.0);
  bodies.clear();
  for (int i = 0; i < 10'000; ++i)
    bodies.push_back(at(shared, Vec3(2.0 * (i % 22), 2.0 * (i / 22 % 22), 2.0 * (i / 484))));
  const double start = cpu_seconds();
  EXPECT_GT(near_pairs(bodies, 1e-9).size(), 20'000u);
  EXPECT_LT(cpu_seconds() - start, 1.0);
}

}  // namespace
}  // namespace repose::check
