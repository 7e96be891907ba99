#include "src/methods/pile/sweep.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "repose/base/random.h"
#include "repose/shape/make.h"

#include "pile_scene.h"
#include "src/methods/pile/touch_points.h"

namespace repose::pile {
namespace {

std::vector<std::vector<Convex>> some_pieces() {
  std::vector<std::vector<Convex>> out;
  const auto take = [&](const Result<shape::ShapePtr>& shape) {
    ASSERT_TRUE(shape);
    out.push_back(convex_pieces(**shape));
  };
  take(shape::make_box({.size = Vec3(1.0, 0.7, 0.4)}));
  take(shape::make_cylinder({.radius = 0.4, .height = 1.1}));
  take(shape::make_capsule({.radius = 0.2, .height = 0.8}));
  take(shape::make_ellipsoid({.radii = Vec3(0.6, 0.5, 0.3)}));
  take(shape::make_torus({.ring_radius = 0.5, .tube_radius = 0.15}));
  return out;
}

double least_gap(const Convex& a, const Way& way_a, const Convex& b, const Way& way_b) {
  constexpr int kLooks = 200;
  double least = 1e300;
  for (int i = 0; i <= kLooks; ++i) {
    const double t = static_cast<double>(i) / kLooks;
    const Nearest n = nearest_of(a, way_a.at(t), b, way_b.at(t));
    least = std::min(least, n.apart ? n.gap : -1.0);
  }
  return least;
}

TEST(Nearest, points_of_lines_that_cross_lie_where_they_cross) {
  // a can or a cone lies with its side across an edge, as on the ridge of a roof
  const auto pieces = [](const Result<shape::ShapePtr>& shape) {
    EXPECT_TRUE(shape);
    return convex_pieces(**shape);
  };
  const auto can = pieces(shape::make_cylinder({.radius = 0.2, .height = 1.0}));
  const auto cone = pieces(shape::make_cone({.radius = 0.3, .height = 1.0}));
  const auto frustum = pieces(shape::make_cone({.radius = 0.3, .height = 1.0, .top_radius = 0.1}));
  const auto beam = pieces(shape::make_box({.size = Vec3(1.0, 0.4, 0.4)}));
  ASSERT_EQ(beam.size(), 1U);
  // its upper edge is the x axis
  Pose ridge;
  ridge.rotation = rotation_from_vector(Vec3(0.25 * std::numbers::pi, 0.0, 0.0));
  ridge.position = -0.2 * std::numbers::sqrt2 * Vec3::UnitZ();
  Random random(31);
  for (const auto* body : {&can, &cone, &frustum})
    for (int round = 0; round < 60; ++round) {
      ASSERT_EQ(body->size(), 1U);
      const Convex& b = (*body)[0];
      // its side along y at height `gap`, turned about z, the crossing at a random place of both
      const double gap = std::pow(10.0, random.between(-7.0, -2.0));
      const Vec3 foot(b.low.radius, 0.0, b.low.height), top(b.high.radius, 0.0, b.high.height);
      const Vec3 along = (top - foot).normalized();
      const Vec3 outward = Vec3(along.z(), 0.0, -along.x());
      Mat3 body_axes, world_axes;
      body_axes << along, outward, along.cross(outward);
      const double angle = random.between(0.3, 2.8);
      const Vec3 line(std::cos(angle), std::sin(angle), 0.0);
      world_axes << line, -Vec3::UnitZ(), line.cross(-Vec3::UnitZ());
      const Vec3 crossing(random.between(-0.4, 0.4), 0.0, 0.0);
      Pose pose_b;
      pose_b.rotation = Quat(Mat3(world_axes * body_axes.transpose()));
      const Vec3 on_side = foot + random.between(0.1, 0.9) * (top - foot);
      pose_b.position = crossing + gap * Vec3::UnitZ() - pose_b.turn(on_side);
      const Pose turned{random_direction(random), random_rotation(random)};
      const Pose at_ridge = turned * ridge, at_body = turned * pose_b;
      const Nearest found = nearest_of(beam[0], at_ridge, b, at_body);
      ASSERT_TRUE(found.apart);
      EXPECT_NEAR(found.gap, gap, 1e-3 * gap + 1e-9);
      EXPECT_LT((found.point_a - turned * crossing).norm(), 1e-4) << gap;
      EXPECT_LT((found.point_b - turned * crossing).norm(), 1e-4 + gap) << gap;
    }
}

TEST(Nearest, sides_that_cross_at_a_small_angle_touch_where_they_cross_alone) {
  // they counted as lying along each other, and pressed where they do not touch
  constexpr double kAngle = 0.02, kGap = 1e-9, kWithin = 0.01, kTilt = 0.05;
  const auto can = shape::make_cylinder({.radius = 0.2, .height = 1.0});
  const auto pill = shape::make_capsule({.radius = 0.2, .height = 1.0});
  ASSERT_TRUE(can && pill);
  for (const auto& shape : {*can, *pill}) {
    const Convex set = convex_pieces(*shape)[0];
    Pose below, above;
    below.rotation = rotation_from_vector(0.5 * std::numbers::pi * Vec3::UnitY());
    above.rotation = rotation_from_vector(kAngle * Vec3::UnitZ()) * below.rotation;
    above.position = (0.4 + kGap) * Vec3::UnitZ();
    std::vector<TouchPoint> rows;
    find_touch_points(set, below, set, above, kWithin, kTilt, rows);
    ASSERT_GE(rows.size(), 3U);  // both ends are told as well
    for (const TouchPoint& row : rows) {
      // the axes are that far aside of each other there
      const double aside = kAngle * std::fabs(row.point.x());
      const double truly = std::hypot(0.4 + kGap, aside) - 0.4;
      EXPECT_NEAR(row.gap, truly, 0.02 * truly) << row.point.x();
    }
  }
}

TEST(Nearest, a_side_across_a_plane_end_is_as_far_from_it_as_the_nearest_points_are) {
  constexpr double kGap = 7.6e-7, kWithin = 1e-3, kTilt = 0.05;
  const auto can = shape::make_cylinder({.radius = 0.018, .height = 0.04});
  ASSERT_TRUE(can);
  const Convex set = convex_pieces(**can)[0];
  Pose standing, lying;
  standing.rotation = lying.rotation = rotation_from_vector(Vec3(0.3, 0.5, 0.7));
  lying.rotation = lying.rotation * rotation_from_vector(0.5 * std::numbers::pi * Vec3::UnitY());
  lying.position = standing.rotation * Vec3(0.0, 0.0, 0.02 + kGap + 0.018);
  std::vector<TouchPoint> rows;
  find_touch_points(set, standing, set, lying, kWithin, kTilt, rows);
  ASSERT_GE(rows.size(), 3U);  // and both ends of what they share
  for (const TouchPoint& row : rows) EXPECT_NEAR(row.gap, kGap, 1e-6 * kGap);
}

TEST(Sweep, ways_that_are_proven_free_show_no_overlap_wherever_one_looks) {
  const auto shapes = some_pieces();
  Random random(11);
  int proven = 0, refused = 0;
  for (int round = 0; round < 400; ++round) {
    const auto &as = shapes[random.below(shapes.size())], &bs = shapes[random.below(shapes.size())];
    const Convex &a = as[random.below(as.size())], &b = bs[random.below(bs.size())];
    Way way_a, way_b;
    way_a.from = {Vec3::Zero(), random_rotation(random)};
    way_b.from = {1.3 * random_direction(random), random_rotation(random)};
    const Nearest start = nearest_of(a, way_a.from, b, way_b.from);
    if (!start.apart || start.gap < 1e-3) continue;
    way_b.from.position -= (start.gap - 1e-3) * start.normal;
    way_a.turn = 0.3 * random_direction(random);
    way_b.turn = 0.3 * random_direction(random);
    way_b.shift = 0.2 * (random_direction(random) + start.normal);
    const double least = least_gap(a, way_a, b, way_b);
    const Nearest there = nearest_of(a, way_a.from, b, way_b.from);
    const bool free = stay_apart(a, way_a, b, way_b, there.normal, 1e-6);
    EXPECT_TRUE(!free || least >= 1e-6) << round << " least gap " << least;
    ++(free ? proven : refused);
  }
  EXPECT_GT(proven, 40);
  EXPECT_GT(refused, 15);
}

TEST(Sweep, a_box_that_slides_on_a_box_at_a_hair_is_proven_free) {
  const auto made = shape::make_box({.size = Vec3(1.0, 1.0, 1.0)});
  ASSERT_TRUE(made);
  const Convex box = convex_pieces(**made)[0];
  Way still, slides;
  slides.from.position = Vec3(0.1, 0.2, 1.0 + 1e-8);
  slides.shift = Vec3(0.4, -0.3, 0.0);
  EXPECT_TRUE(stay_apart(box, still, box, slides, Vec3::UnitZ(), 1e-9));
  slides.shift.z() = -2e-8;
  EXPECT_FALSE(stay_apart(box, still, box, slides, Vec3::UnitZ(), 1e-9));
}

TEST(Sweep, edges_across_each_other_may_turn_at_a_hair) {
  const auto made = shape::make_box({.size = Vec3(1.0, 1.0, 1.0)});
  ASSERT_TRUE(made);
  const Convex box = convex_pieces(**made)[0];
  // an edge along x below, an edge along y above
  Way low, high;
  low.from.rotation = rotation_from_vector(Vec3(0.25 * M_PI, 0.0, 0.0));
  high.from.rotation = rotation_from_vector(Vec3(0.0, 0.25 * M_PI, 0.0));
  high.from.position = Vec3(0.1, 0.1, std::sqrt(2.0) + 1e-6);
  high.turn = Vec3(0.02, -0.01, 0.03);
  high.shift = Vec3(0.0, 0.0, 3e-3);
  EXPECT_TRUE(stay_apart(box, low, box, high, Vec3::UnitZ(), 1e-9));
}

}  // namespace
}  // namespace repose::pile
