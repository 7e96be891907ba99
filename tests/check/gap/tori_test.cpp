// Balls with tori and tori with tori, also where they touch all along a circle. Truths by sampling
// in long double and by what is known of such circles.
#include <gtest/gtest.h>

#include "repose/check/gap.h"
#include "repose/shape/make.h"

#include "check/shapes.h"
#include "src/check/gap/circle_distance.h"

namespace repose::check {
namespace {

using Long = long double;

/// The least distance of a point of the circle about z of `ring` from c + e1 cos t + e2 sin t.
Long sampled(const Vec3& c, const Vec3& e1, const Vec3& e2, double ring) {
  const auto distance = [&](Long t) {
    Long p[3];
    for (int k = 0; k < 3; ++k) p[k] = c[k] + e1[k] * std::cos(t) + e2[k] * std::sin(t);
    return std::hypot(std::hypot(p[0], p[1]) - ring, p[2]);
  };
  constexpr int kSamples = 2000;
  Long least = std::numeric_limits<Long>::infinity(), at = 0;
  const Long step = 2 * std::acos(Long(-1)) / kSamples;
  for (int k = 0; k < kSamples; ++k)
    if (distance(k * step) < least) least = distance(at = k * step);
  // finer and finer about the best
  for (Long h = step; h > 1e-12L; h *= 0.25L)
    for (int k = -8; k <= 8; ++k)
      if (distance(at + k * h) < least) least = distance(at = at + k * h);
  return least;
}

TEST(Circles, distances_hold_the_sampled_truth) {
  Random random(251);
  for (int k = 0; k < 300; ++k) {
    const double scale = std::array{1e-3, 1.0, 1e3}[static_cast<std::size_t>(k % 3)];
    const double ring_a = scale * (0.2 + random.unit()), ring_b = scale * (0.2 + random.unit());
    Frame f;
    f.turn = random_rotation(random).toRotationMatrix();
    f.shift = scale * random.between(0.0, 2.5) * random_direction(random);
    DistanceGoal goal;
    goal.width = 1e-9 * scale;
    const Distance d = circle_distance(ring_a, ring_b, f, goal);
    const Long truth = sampled(f.shift, ring_b * f.turn.col(0), ring_b * f.turn.col(1), ring_a);
    if (truth < 1e-6L * scale) continue;
    ASSERT_TRUE(d.clear) << k << ' ' << double(truth);
    EXPECT_LE(Long(d.lower), truth) << k;
    EXPECT_GE(Long(d.upper), truth) << k;
    EXPECT_LT(d.upper - d.lower, 2e-9 * scale) << k;
    EXPECT_NEAR((d.point_b - d.point_a).norm(), d.upper, 1e-9 * scale);
    // a goal that is met sooner ends the search sooner
    goal.enough = 0.5 * double(truth);
    const Distance enough = circle_distance(ring_a, ring_b, f, goal);
    EXPECT_GE(enough.lower, goal.enough);
    EXPECT_LE(enough.tests, d.tests);
  }
}

TEST(Circles, of_very_unlike_size_are_never_told_farther_apart_than_they_are) {
  // a wide circle passes near both sides of a small one: places so close on it that a search may
  // end at the farther of the two
  Random random(253);
  int closed = 0;
  for (int k = 0; k < 400; ++k) {
    const double wide = std::pow(10.0, random.between(1.0, 5.0));
    const Vec3 near = random.between(0.0, 1.5) * random_direction(random);
    const Quat q = random_rotation(random);
    Frame f;
    f.turn = q.toRotationMatrix();
    f.shift = near - f.turn * Vec3(wide, 0, 0);
    DistanceGoal goal;
    goal.width = 1e-6;
    const Distance d = circle_distance(1.0, wide, f, goal);
    // all that comes near lies within a few units of the place
    Long least = std::numeric_limits<Long>::infinity();
    const auto look = [&](Long t) {
      Long p[3];
      for (int i = 0; i < 3; ++i)
        p[i] = near[i] + wide * (f.turn(i, 0) * (std::cos(t) - 1) + f.turn(i, 1) * std::sin(t));
      least = std::min(least, std::hypot(std::hypot(p[0], p[1]) - 1, p[2]));
    };
    for (int i = -4000; i <= 4000; ++i) look(Long(i) * 1e-3L / Long(wide));
    EXPECT_LE(Long(d.lower), least) << k << ' ' << wide;
    EXPECT_GE(Long(d.upper), least - 1e-3L) << k << ' ' << wide;
    closed += d.clear;
  }
  EXPECT_GT(closed, 200);
}

TEST(Circles, that_keep_one_distance_all_along_close) {
  Random random(252);
  for (const double scale : {1e-3, 1.0, 1e3}) {
    // Hopf's: one through the other's middle, and their distance is the radius
    const auto torus = shape::make_torus({scale, 0.5 * scale}).value();
    const auto thin = shape::make_torus({scale, 0.4 * scale}).value();
    for (int k = 0; k < 4; ++k) {
      const Quat turn = k == 0 ? Quat::Identity() : random_rotation(random);
      const Vec3 place = k == 0 ? Vec3(Vec3::Zero()) : Vec3(scale * random_direction(random));
      const Quat upright = rotation_from_vector(Vec3(0.5 * std::numbers::pi, 0, 0));
      const PlacedBody a = at(torus, place, turn);
      const PlacedBody b = at(torus, place + turn * Vec3(scale, 0, 0), turn * upright);
      const GapBracket g = gap(a, b);
      EXPECT_EQ(g.status, GapStatus::closed);
      EXPECT_LE(g.lower, 1e-13 * scale);
      EXPECT_GE(g.upper, -1e-13 * scale);
      EXPECT_LT(g.width(), 1e-8 * scale);
      const GapBracket apart = gap(a, at(thin, b.world_from_body.position, turn * upright));
      EXPECT_NEAR(apart.lower, 0.1 * scale, 1e-8 * scale);
      EXPECT_NEAR(apart.upper, 0.1 * scale, 1e-8 * scale);
      // about one axis: a small one within a large one, and one above another
      const auto large = shape::make_torus({2.0 * scale, 0.5 * scale}).value();
      const GapBracket within = gap(at(large, place, turn), a);
      EXPECT_LE(within.lower, 1e-12 * scale);
      EXPECT_GE(within.upper, -1e-12 * scale);
      EXPECT_LT(within.width(), 1e-8 * scale);
      const GapBracket above = gap(a, at(torus, place + turn * Vec3(0, 0, 1.25 * scale), turn));
      EXPECT_NEAR(above.lower, 0.25 * scale, 1e-8 * scale);
      EXPECT_NEAR(above.upper, 0.25 * scale, 1e-8 * scale);
    }
  }
}

TEST(BallOnTorus, is_told_in_closed_form_wherever_it_lies) {
  Random random(253);
  for (int k = 0; k < 400; ++k) {
    const double scale = std::array{1e-3, 1.0, 1e3}[static_cast<std::size_t>(k % 3)];
    const double ring = scale * (0.5 + random.unit()), tube = ring * random.between(0.1, 0.9);
    const double radius = scale * random.between(0.05, 1.5);
    const Pose pose{scale * random_direction(random), random_rotation(random)};
    const Vec3 local(ring * random.between(0.0, 2.0), 0, scale * random.between(-1.5, 1.5));
    const double turn = 6.0 * random.unit();
    const Vec3 center(local.x() * std::cos(turn), local.x() * std::sin(turn), local.z());
    const auto torus = shape::make_torus({ring, tube}).value();
    const bool named = k % 2 == 0;
    const auto round =
        named ? ball(radius) : shape::make_ellipsoid({Vec3::Constant(radius)}).value();
    const GapBracket g = gap(at(round, pose * center), at(torus, pose.position, pose.rotation));
    const Long d = std::hypot(Long(local.x()) - ring, Long(local.z()));
    const Long truth = d >= Long(radius) + tube ? d - radius - tube
                                                : -std::max(tube - std::max(Long(0), d - radius),
                                                            radius - std::max(Long(0), d - tube));
    EXPECT_NEAR(g.lower, double(truth), 1e-13 * 10 * scale);
    EXPECT_NEAR(g.upper, double(truth), 1e-13 * 10 * scale);
    EXPECT_LT(g.width(), 1e-11 * scale);
    EXPECT_EQ(g.status, GapStatus::closed);
    EXPECT_NEAR((g.point_b - g.point_a).dot(g.normal_a_to_b), double(d) - radius - tube,
                1e-11 * scale);
  }
}

TEST(BallOnTorus, touches_all_round_a_ring) {
  Random random(254);
  for (const double scale : {1e-3, 1.0, 1e3})
    for (int k = 0; k < 3; ++k) {
      const Pose pose{scale * random_direction(random), random_rotation(random)};
      const auto torus = shape::make_torus({scale, 0.3 * scale}).value();
      const double height = std::sqrt(1.3 * 1.3 - 1.0) * scale;
      const GapBracket g =
          gap(at(torus, pose.position, pose.rotation), at(ball(scale), pose * Vec3(0, 0, height)));
      EXPECT_NEAR(g.lower, 0.0, 1e-12 * scale);
      EXPECT_NEAR(g.upper, 0.0, 1e-12 * scale);
      EXPECT_LE(g.lower, g.upper);
    }
}

}  // namespace
}  // namespace repose::check
