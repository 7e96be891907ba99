#include "repose/shape/sample.h"

#include <gtest/gtest.h>

#include "repose/base/random.h"
#include "repose/math/pose.h"
#include "repose/shape/cover.h"
#include "repose/shape/make.h"

namespace repose::shape {
namespace {

const PointSet& points_of(const ShapePtr& shape) {
  return std::get<PointSet>(shape->geometry);
}

TEST(sample, every_point_of_a_ball_has_a_surfel_within_the_spacing_and_lies_in_its_balls) {
  const auto made = make_sample({*make_ball({0.1}), 0.015, std::nullopt});
  ASSERT_TRUE(made);
  const PointSet& set = points_of(*made);
  const Cover cover = cover_of(set);
  EXPECT_DOUBLE_EQ((*made)->volume.volume, (*make_ball({0.1}))->volume.volume);
  Random random(5);
  for (int k = 0; k < 5000; ++k) {
    const Vec3 p = 0.1 * random_direction(random);
    double nearest = 1.0, depth = 1.0;
    for (std::size_t i = 0; i < set.surfels.size(); ++i) {
      nearest = std::min(nearest, (set.surfels[i] - p).norm());
      depth = std::min(depth, (cover.centers[i] - p).norm() - cover.radii[i]);
    }
    EXPECT_LT(nearest, 0.015 * 1.02);
    EXPECT_LT(depth, 0.0);
  }
  // no ball stands out farther than it must
  for (std::size_t i = 0; i < cover.centers.size(); ++i)
    EXPECT_LT(cover.centers[i].norm() + cover.radii[i], 0.1 + 0.3 * 0.015);
}

TEST(sample, balls_of_a_box_stay_within_it_but_for_a_part_of_the_spacing) {
  const auto made = make_sample({*make_box({Vec3(0.2, 0.1, 0.1)}), 0.0125, std::nullopt});
  ASSERT_TRUE(made);
  const Cover cover = cover_of(points_of(*made));
  for (std::size_t i = 0; i < cover.centers.size(); ++i) {
    const Vec3 out =
        cover.centers[i].cwiseAbs() + Vec3::Constant(cover.radii[i]) - Vec3(0.1, 0.05, 0.05);
    EXPECT_LT(out.maxCoeff(), 0.4 * 0.0125);
  }
}

TEST(sample, what_is_too_thin_for_balls_is_smoothed_away_or_gets_smaller_ones) {
  // a block with a thin tail: its matter goes over to the block, unless smaller balls hold it
  const auto block = *make_box({Vec3(0.1, 0.1, 0.1)}), tail = *make_box({Vec3(0.12, 0.03, 0.03)});
  UnionInput both;
  both.parts.push_back({block, Pose{}});
  Pose aside;
  aside.position = Vec3(0.1, 0.0, 0.0);
  both.parts.push_back({tail, aside});
  const auto whole = *make_union(both);
  double farthest[2] = {0.0, 0.0};
  for (const int halvings : {0, 1}) {
    const auto made = make_sample({whole, 0.0125, 0.012, halvings});
    ASSERT_TRUE(made) << made.error().wrong;
    const PointSet& set = points_of(*made);
    const Cover cover = cover_of(set);
    double volume = 0.0;
    for (const double v : set.phyxel_volumes) volume += v;
    EXPECT_NEAR(volume, whole->volume.volume, 1e-9 * volume);
    for (const Vec3& p : set.phyxels) {
      double depth = 1.0;
      for (std::size_t i = 0; i < cover.centers.size(); ++i)
        depth = std::min(depth, (cover.centers[i] - p).norm() - cover.radii[i]);
      EXPECT_TRUE(depth < 0.0 || p.cwiseAbs().maxCoeff() < 0.03);
      farthest[halvings] = std::max(farthest[halvings], p.x());
    }
  }
  EXPECT_LT(farthest[0], 0.08);
  EXPECT_GT(farthest[1], 0.13);
}

TEST(sample, the_cover_of_a_shape_is_made_once) {
  const auto made = make_sample({*make_ball({0.1}), 0.03, std::nullopt});
  ASSERT_TRUE(made);
  EXPECT_EQ(cover_shape(*made), cover_shape(*made));
  EXPECT_EQ(cover_shape(*make_ball({0.1})), nullptr);
}

TEST(sample, what_is_too_thin_open_or_coarse_is_refused) {
  const auto ball = *make_ball({0.1});
  EXPECT_EQ(make_sample({ball, 0.15, std::nullopt}).error().pointer, "/spacing");
  EXPECT_EQ(make_sample({ball, 0.02, 0.5}).error().pointer, "/phyxel_spacing");
  EXPECT_EQ(make_sample({ball, 0.02, 0.15}).error().pointer, "/phyxel_spacing");
  EXPECT_EQ(make_sample({*make_half_space(), 0.02, std::nullopt}).error().pointer, "/shape");
  EXPECT_EQ(make_sample({*make_box({Vec3(0.2, 0.2, 0.03)}), 0.02, 0.01}).error().pointer,
            "/spacing");
}

}  // namespace
}  // namespace repose::shape
