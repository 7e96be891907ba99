// Soft balls that go straight beside solids that fly and turn: the bracket of a whole way holds the
// gaps that plain formulas tell at thousands of its moments.
#include <gtest/gtest.h>

#include "repose/check/way.h"
#include "repose/shape/make.h"

#include "check/items.h"

namespace repose::check {
namespace {

PlacedBody balls(const std::vector<Vec3>& centers, double radius) {
  PlacedBody out;
  out.mass = 1.0;
  out.shape =
      shape::make_sphere_set({centers, std::vector<double>(centers.size(), radius), {}}).value();
  out.points_world = centers;
  return out;
}

TEST(WayWild, brackets_of_soft_balls_and_led_solids_hold_what_is_sampled) {
  Random random(2612);
  int known = 0, through = 0;
  for (int k = 0; k < 400; ++k) {
    const double scale = std::pow(10.0, random.between(-2.0, 2.0));
    const auto anywhere = [&](double far) { return Vec3(far * scale * random_direction(random)); };
    const double radius = scale * std::pow(10.0, random.between(-4.0, -0.5));
    const Vec3 half =
        scale * Vec3(1.0, random.between(0.1, 1.0), std::pow(10.0, random.between(-4.0, 0.0)));
    const Vec3 center = k % 2 ? Vec3(Vec3::Zero()) : Vec3(0.5 * half);
    std::vector<Vec3> from, to;
    for (int i = 0; i < 3; ++i) {
      const Vec3 meets = anywhere(random.unit()), go = anywhere(random.between(0.0, 2.0));
      from.push_back(meets - go);
      to.push_back(meets + go);
    }
    const PlacedBody a0 = balls(from, radius);
    PlacedBody a1 = a0, b0 = at(shape::make_box({2.0 * half}).value(), anywhere(0.3));
    a1.points_world = to;
    b0.center_body = center;
    PlacedBody b1 = b0;
    b0.world_from_body.rotation = random_rotation(random);
    b1.world_from_body.rotation =
        k % 3 == 0
            ? b0.world_from_body.rotation
            : b0.world_from_body.rotation *
                  rotation_from_vector(Vec3(random.between(0.0, 3.0) * random_direction(random)));
    b1.world_from_body.position += anywhere(k % 4 == 0 ? 0.0 : random.unit());
    if (k % 6 == 0) b1 = b0;
    const GapBracket g = gap_on_way(a0, a1, b0, b1);
    // by the moments of the way: the centre of mass straight, the rest turned about it
    double least = std::numeric_limits<double>::infinity();
    constexpr int kMoments = 3000;
    for (int m = 0; m <= kMoments; ++m) {
      const double t = double(m) / kMoments;
      const Quat turn = b0.world_from_body.rotation.slerp(t, b1.world_from_body.rotation);
      const Vec3 middle = (1.0 - t) * b0.center_world() + t * b1.center_world();
      for (std::size_t i = 0; i < from.size(); ++i) {
        const Vec3 p = turn.conjugate() * ((1.0 - t) * from[i] + t * to[i] - middle) + center;
        const Vec3 out = p.cwiseAbs() - half;
        least = std::min(least, out.cwiseMax(0.0).norm() + std::min(out.maxCoeff(), 0.0) - radius);
      }
    }
    // what is told as free is free; how deep an overlap is need not be told
    if (least > 0.05 * scale) {
      EXPECT_GE(g.lower, 0.0) << k;  // what is clearly free is known to be
    }
    if (g.lower >= 0.0) {
      EXPECT_GE(least, -1e-9 * scale) << k;
      EXPECT_LE(g.lower, least + 1e-9 * scale) << k;
      ++known;
    }
    // a ball's overlap is that of its own matter at least
    if (g.upper < 0.0) {
      EXPECT_LT(least, 0.02 * scale) << k;
      ++through;
    }
  }
  EXPECT_GT(known, 40);
  EXPECT_GT(through, 30);
}

/// Soft balls are where their points are: what the pose of their body does changes nothing.
TEST(WayWild, the_pose_of_a_soft_body_moves_nothing) {
  Random random(2613);
  for (int k = 0; k < 40; ++k) {
    std::vector<Vec3> from, to, other;
    for (int i = 0; i < 4; ++i) {
      from.push_back(random_direction(random));
      to.push_back(from.back() + 0.3 * random_direction(random));
      other.push_back(3.0 * random_direction(random));
    }
    PlacedBody a0 = balls(from, 0.1), a1 = a0, b0 = balls(other, 0.2), b1 = b0;
    a1.points_world = to;
    const PlacedBody box = at(shape::make_box({Vec3(1, 2, 0.5)}).value(), Vec3(0, 0, 3));
    const GapBracket free = gap_on_way(a0, a1, b0, b1), past = gap_on_way(a0, a1, box, box);
    a0.world_from_body = {random_direction(random), random_rotation(random)};
    a1.world_from_body = {random_direction(random), random_rotation(random)};
    const GapBracket turned = gap_on_way(a0, a1, b0, b1), past_too = gap_on_way(a0, a1, box, box);
    EXPECT_EQ(turned.lower, free.lower);
    EXPECT_EQ(turned.upper, free.upper);
    EXPECT_EQ(past_too.lower, past.lower);
    EXPECT_EQ(past_too.upper, past.upper);
    EXPECT_LE(free.upper - free.lower, 1e-12);
  }
}

}  // namespace
}  // namespace repose::check
