#include "repose/check/way.h"

#include <gtest/gtest.h>

#include "repose/base/random.h"
#include "repose/shape/make.h"

#include "check/gap/ball_way.h"
#include "check/items.h"

namespace repose::check {
namespace {

Vec3 anywhere(Random& random, double spread) {
  return spread * Vec3(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1));
}

/// The least distance on the way, by golden section in long double: |x + t d| is convex in t.
double plain_least(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1) {
  const auto distance = [&](long double t) {
    long double sum = 0.0L;
    for (int k = 0; k < 3; ++k) {
      const long double a = a0[k] + t * (static_cast<long double>(a1[k]) - a0[k]);
      const long double b = b0[k] + t * (static_cast<long double>(b1[k]) - b0[k]);
      sum += (b - a) * (b - a);
    }
    return std::sqrt(sum);
  };
  long double low = 0.0L, high = 1.0L;
  for (int k = 0; k < 200; ++k) {
    const long double third = (high - low) / 3.0L;
    if (distance(low + third) < distance(high - third))
      high -= third;
    else
      low += third;
  }
  return static_cast<double>(distance(0.5L * (low + high)));
}

TEST(Way, the_least_distance_of_two_balls_is_enclosed) {
  Random random(11);
  for (int k = 0; k < 2000; ++k) {
    const double scale = k % 3 == 0 ? 1e-3 : k % 3 == 1 ? 1.0 : 1e3;
    const Vec3 a0 = anywhere(random, scale), b0 = anywhere(random, scale);
    const Vec3 a1 = a0 + anywhere(random, k % 2 ? scale : 1e-6 * scale);
    const Vec3 b1 = b0 + anywhere(random, k % 2 ? scale : 1e-6 * scale);
    const Interval found = least_distance(a0, a1, b0, b1, 0.0);
    const double truth = plain_least(a0, a1, b0, b1);
    EXPECT_LE(found.lo, truth * (1.0 + 1e-17));
    EXPECT_GE(found.hi, truth);
    EXPECT_LE(found.width(), 1e-9 * scale) << truth;
  }
}

TEST(Way, balls_that_stand_still_keep_their_distance) {
  const Interval found =
      least_distance(Vec3::Zero(), Vec3::Zero(), Vec3(3, 4, 0), Vec3(3, 4, 0), 0.0);
  EXPECT_TRUE(found.contains(5.0));
  EXPECT_LT(found.width(), 1e-13);
}

PlacedBody set_at(const std::vector<Vec3>& centers, double radius,
                  std::vector<std::array<int, 2>> links = {}) {
  PlacedBody out;
  out.name = "set";
  out.mass = 1.0;
  out.shape = shape::make_sphere_set(
                  {centers, std::vector<double>(centers.size(), radius), std::move(links)})
                  .value();
  out.points_world = centers;
  return out;
}

PlacedBody moved(PlacedBody body, const std::vector<Vec3>& to) {
  body.points_world = to;
  return body;
}

TEST(Way, a_bullet_that_jumps_over_a_sheet_in_one_step_is_seen) {
  const PlacedBody sheet = set_at({Vec3(0, 0, 0), Vec3(0.2, 0, 0)}, 0.1, {{0, 1}});
  const PlacedBody bullet = set_at({Vec3(0.05, 0, 1)}, 0.05);
  const PlacedBody beyond = moved(bullet, {Vec3(0.05, 0, -1)});
  EXPECT_GT(gap(sheet, bullet).lower, 0.5);
  EXPECT_GT(gap(sheet, beyond).lower, 0.5);
  const GapBracket g = gap_on_way(sheet, sheet, bullet, beyond);
  EXPECT_NEAR(g.lower, 0.05 - 0.15, 1e-14);
  Input from, to;
  from.bodies = {sheet, bullet};
  to.bodies = {sheet, beyond};
  Settings settings;
  settings.judge_balance = false;
  EXPECT_EQ(check(from, settings).overlap, Answer::proven);
  EXPECT_EQ(check_way(from, to).overlap, Answer::missed);
}

TEST(Way, two_balls_of_one_body_that_pass_through_each_other_are_seen_unless_joined) {
  const std::vector<Vec3> from{Vec3(-1, 0, 0), Vec3(1, 0, 0)}, to{Vec3(1, 0, 0), Vec3(-1, 0, 0)};
  const PlacedBody apart = set_at(from, 0.1), joined = set_at(from, 0.1, {{0, 1}});
  EXPECT_LT(self_gap_on_way(apart, moved(apart, to)).upper, -0.09);
  EXPECT_GT(self_gap_on_way(joined, moved(joined, to)).lower, 1.0);
}

TEST(Way, balls_sliding_on_a_box_are_proven_by_its_plane) {
  PlacedBody table = at(shape::make_box({Vec3(4, 4, 1)}).value(), Vec3(0, 0, -0.5));
  table.fixed = true;
  const PlacedBody set = set_at({Vec3(0, 0, 0.1 + 1e-9), Vec3(0.3, 0, 0.1 + 1e-9)}, 0.1);
  const PlacedBody there = moved(set, {Vec3(0.5, 0.2, 0.1 + 1e-9), Vec3(0.8, 0.2, 0.1 + 1e-9)});
  const GapBracket g = gap_on_way(set, there, table, table);
  EXPECT_GT(g.lower, 0.0);
  EXPECT_LT(g.upper, 1e-8);
  const PlacedBody below = moved(set, {Vec3(0.5, 0.2, 0.0), Vec3(0.8, 0.2, 0.1 + 1e-9)});
  EXPECT_LT(gap_on_way(set, below, table, table).upper, 0.0);
}

TEST(Way, ground_is_met_at_an_end_of_a_straight_way_or_not_at_all) {
  PlacedBody floor = at(ground(), Vec3::Zero());
  floor.fixed = true;
  const PlacedBody set = set_at({Vec3(0, 0, 2)}, 0.5);
  EXPECT_NEAR(gap_on_way(floor, floor, set, moved(set, {Vec3(9, 0, 0.5)})).lower, 0.0, 1e-12);
  EXPECT_LT(gap_on_way(floor, floor, set, moved(set, {Vec3(9, 0, 0.4)})).upper, 0.0);
}

TEST(Way, a_led_box_that_sweeps_over_a_ball_is_seen_and_one_that_passes_beside_it_is_free) {
  const auto box = shape::make_box({Vec3(1, 1, 1)}).value();
  const PlacedBody set = set_at({Vec3(0, 0, 0)}, 0.1);
  PlacedBody left = at(box, Vec3(-3, 0, 0)), right = at(box, Vec3(3, 0, 0));
  EXPECT_LT(gap_on_way(left, right, set, set).upper, 0.0);
  left.world_from_body.position.y() = right.world_from_body.position.y() = 1.0;
  const GapBracket beside = gap_on_way(left, right, set, set);
  EXPECT_GE(beside.lower, 0.0);
  EXPECT_LE(beside.lower, 0.4);
}

TEST(Way, a_turning_box_is_followed_around) {
  const auto bar = shape::make_box({Vec3(2, 0.1, 0.1)}).value();
  const PlacedBody from = at(bar, Vec3::Zero());
  const PlacedBody to = at(bar, Vec3::Zero(), rotation_from_vector(Vec3(0, 0, M_PI_2)));
  const PlacedBody in_its_way = set_at({Vec3(0.6, 0.6, 0)}, 0.05);
  EXPECT_LT(gap_on_way(from, to, in_its_way, in_its_way).upper, 0.0);
  const PlacedBody aside = set_at({Vec3(0.6, -0.6, 0)}, 0.05);
  EXPECT_GE(gap_on_way(from, to, aside, aside).lower, 0.0);
}

TEST(Way, no_way_that_is_called_free_holds_an_overlap_at_any_sampled_moment) {
  Random random(21);
  const auto box = shape::make_box({Vec3(1, 0.6, 0.8)}).value();
  int freed = 0, hit = 0;
  for (int k = 0; k < 200; ++k) {
    PlacedBody solid = at(box, Vec3::Zero(), random_rotation(random));
    solid.fixed = true;
    const Vec3 a = 1.5 * random_direction(random), b = 1.5 * random_direction(random);
    const PlacedBody set = set_at({a}, 0.15);
    const GapBracket g = gap_on_way(set, moved(set, {b}), solid, solid);
    bool overlaps = false;
    for (int s = 0; s <= 60; ++s)
      overlaps = overlaps || gap(at(ball(0.15), a + s / 60.0 * (b - a)), solid).upper < 0.0;
    if (g.lower >= 0.0) {
      ++freed;
      EXPECT_FALSE(overlaps);
    }
    if (overlaps) {
      ++hit;
      EXPECT_LT(g.lower, 0.0);
    }
  }
  EXPECT_GT(freed, 30);
  EXPECT_GT(hit, 30);
}

/// A plate that sinks and tilts onto balls: the way is seen from the plate, where balls go nearly
/// straight, so that gaps far below the way's length are proven.
TEST(Way, a_body_that_moves_and_turns_close_by_balls_is_proven_free) {
  const shape::ShapePtr plate = shape::make_box({.size = Vec3(2, 2, 0.2)}).value();
  const PlacedBody set = set_at({Vec3(-0.5, 0, 0), Vec3(0.5, 0, 0)}, 0.1);
  const PlacedBody from = at(plate, Vec3(0, 0, 0.21));
  // it slides by 0.3 along the balls, 1e-5 above them
  PlacedBody to = at(plate, Vec3(0.3, 0, 0.20001));
  GapBracket g = gap_on_way(set, set, from, to);
  EXPECT_NEAR(g.lower, 1e-5, 1e-8);
  EXPECT_LT(gap_on_way(set, set, from, at(plate, Vec3(0.3, 0, 0.199))).upper, 0.0);
  // ... and turns: its rim would meet the second ball at an angle of 0.05
  to = at(plate, Vec3(0, 0, 0.21), Quat(Eigen::AngleAxisd(0.01, Vec3::UnitY())));
  g = gap_on_way(set, set, from, to);
  EXPECT_NEAR(g.lower, 0.01 - 0.5 * std::sin(0.01), 1e-4);
  EXPECT_GE(g.lower, 0.0);
  to = at(plate, Vec3(0, 0, 0.21), Quat(Eigen::AngleAxisd(0.05, Vec3::UnitY())));
  EXPECT_LT(gap_on_way(set, set, from, to).upper, 0.0);
  // along a way that bends: a quarter turn about the centre swings between the balls' places
  to = at(plate, Vec3(0, 0, 0.21), Quat(Eigen::AngleAxisd(3.1, Vec3::UnitZ())));
  EXPECT_NEAR(gap_on_way(set, set, from, to).lower, 0.01, 5e-3);
}

}  // namespace
}  // namespace repose::check
