#include "repose/check/enclosure.h"

#include <gtest/gtest.h>

#include "repose/base/random.h"

namespace repose::check {
namespace {

using prove::Answer;

/// Balls on a sphere of radius 1, about `apart` from each other, at `size` and `middle`; those
/// within `hole` of the top are left out.
Wall ball_of_balls(double apart, double radius, double hole, double size, const Vec3& middle) {
  Wall out;
  const auto count = static_cast<int>(16.0 / (apart * apart));
  for (int i = 0; i < count; ++i) {
    const double z = 1.0 - 2.0 * (i + 0.5) / count, turn = 2.399963229728653 * i;
    const double across = std::sqrt(1.0 - z * z);
    const Vec3 p(across * std::cos(turn), across * std::sin(turn), z);
    if ((p - Vec3::UnitZ()).norm() < hole) continue;
    out.centers.push_back(middle + size * p);
    out.radii.push_back(size * radius);
  }
  out.inner = {middle, middle + size * Vec3(0.3, -0.2, 0.4)};
  out.outer = {middle + size * Vec3(0.0, 0.0, 2.0), middle + size * Vec3(30.0, 0.0, 0.0)};
  return out;
}

TEST(enclosure, a_closed_wall_is_proven_at_every_size_and_place) {
  for (const double size : {1e-3, 1.0, 1e3})
    for (const Vec3& middle : {Vec3(0.0, 0.0, 0.0), Vec3(17.0 * size, -3.0 * size, 0.1 * size)})
      EXPECT_EQ(enclosure(ball_of_balls(0.2, 0.25, 0.0, size, middle)).answer, Answer::proven);
}

// between three balls the wall is thin: few cubes there lie in one of them
TEST(enclosure, a_thin_wall_is_proven_where_balls_hold_it_together) {
  EXPECT_EQ(enclosure(ball_of_balls(0.2, 0.14, 0.0, 1.0, Vec3::Zero())).answer, Answer::proven);
  EXPECT_NE(enclosure(ball_of_balls(0.2, 0.12, 0.0, 1.0, Vec3::Zero())).answer, Answer::proven);
}

TEST(enclosure, a_hole_is_missed_with_the_point_that_can_be_reached) {
  const Enclosure open = enclosure(ball_of_balls(0.2, 0.25, 0.5, 1.0, Vec3::Zero()));
  EXPECT_EQ(open.answer, Answer::missed);
  EXPECT_EQ(open.inner, 0);
}

TEST(enclosure, no_wall_with_a_hole_is_ever_proven) {
  // a hole as wide as the balls leave it, from wide down to shut: truth by the way along the axis
  for (double hole = 0.6; hole > 0.0; hole -= 0.005) {
    const Wall wall = ball_of_balls(0.2, 0.22, hole, 1.0, Vec3::Zero());
    bool axis_is_free = true;
    for (int i = 0; i <= 4000; ++i) {
      const Vec3 p(0.0, 0.0, 2.0 * i / 4000.0);
      for (std::size_t k = 0; k < wall.centers.size(); ++k)
        axis_is_free &= (wall.centers[k] - p).norm() > wall.radii[k];
    }
    const Answer answer = enclosure(wall).answer;
    if (axis_is_free) {
      EXPECT_NE(answer, Answer::proven) << hole;
    }
  }
}

TEST(enclosure, points_on_the_wrong_side_are_missed) {
  Wall wall = ball_of_balls(0.2, 0.25, 0.0, 1.0, Vec3::Zero());
  wall.outer.push_back(Vec3(0.1, 0.1, 0.1));
  EXPECT_EQ(enclosure(wall).answer, Answer::missed);
  EXPECT_EQ(enclosure(wall).outer, 2);
  wall.outer.pop_back();
  wall.inner.push_back(Vec3(0.0, 0.0, 1.6));
  EXPECT_EQ(enclosure(wall).answer, Answer::missed);
  EXPECT_EQ(enclosure(wall).inner, 2);
}

TEST(enclosure, nothing_is_said_of_what_is_no_wall) {
  EXPECT_EQ(enclosure({}).answer, Answer::undecided);
  Wall wall = ball_of_balls(0.2, 0.25, 0.0, 1.0, Vec3::Zero());
  wall.radii[3] = -1.0;
  EXPECT_EQ(enclosure(wall).answer, Answer::undecided);
  wall.radii[3] = 0.25;
  wall.centers[5].x() = std::nan("");
  EXPECT_EQ(enclosure(wall).answer, Answer::undecided);
}

}  // namespace
}  // namespace repose::check
