// Bodies turned about very nearly one axis, which touch along circles.
#include "src/check/gap/coaxial.h"

#include <numbers>

#include <gtest/gtest.h>

#include "repose/check/gap.h"
#include "repose/shape/make.h"
#include "repose/shape/meridian.h"

#include "check/shapes.h"

namespace repose::check {
namespace {

shape::ShapePtr turned(std::vector<Vec2> profile, std::vector<int> corners, double scale,
                       bool closed = false) {
  shape::RevolutionInput in;
  for (Vec2& p : profile) p *= scale;
  in.profile = std::move(profile);
  in.corners = std::move(corners);
  in.closed = closed;
  return shape::make_revolution(in).value();
}

/// A ring of rectangular section, r in [1, 1.5], z in [-0.3, 0], times `scale`.
shape::ShapePtr rim(double scale) {
  return turned({{1.0, -0.3}, {1.5, -0.3}, {1.5, 0.0}, {1.0, 0.0}}, {0, 1, 2, 3}, scale, true);
}

/// The least distance of the tube's circle (radius 0.9) from the rim's inner edge, less the tube's
/// radius, by going round.
double round_the_circle(const Frame& f, double tube) {
  constexpr int kSteps = 200'000;
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kSteps; ++k) {
    const double phi = 2.0 * std::numbers::pi * k / kSteps;
    const Vec3 p = f * Vec3(0.9 * std::cos(phi), 0.9 * std::sin(phi), 0.0);
    least = std::min(least, std::hypot(p.head<2>().norm() - 1.0, p.z()));
  }
  return least - tube;
}

Frame nearly_coaxial(Random& random, double height, bool over, double stray) {
  const Vec3 way = random_direction(random);
  const Quat tilt = rotation_from_vector(stray * Vec3(way.x(), way.y(), 0.0));
  const Quat head = over ? Quat(0.0, 1.0, 0.0, 0.0) : Quat::Identity();
  const Quat spin = rotation_from_vector(Vec3(0, 0, random.between(-3.0, 3.0)));
  Frame f;
  f.turn = (tilt * head * spin).toRotationMatrix();
  const double across = stray * random.between(0.0, 1.0), at = random.between(-3.0, 3.0);
  f.shift = Vec3(across * std::cos(at), across * std::sin(at), height);
  return f;
}

TEST(Coaxial, a_tilted_and_shifted_ring_over_an_edge_is_as_far_as_going_round_tells) {
  Random random(23);
  Surface a(*rim(1.0)), b(*shape::make_torus({0.9, 0.25}).value());
  for (int k = 0; k < 12; ++k) {
    const double height = 0.2291287847477920 + std::pow(10.0, random.between(-7.0, -2.0));
    const Frame f = nearly_coaxial(random, height, k % 2 == 1, 1e-6);
    const double gap = round_the_circle(f, 0.25);
    DistanceGoal goal;
    goal.width = 1e-9;
    const Coaxial turned(a, b, f);
    ASSERT_TRUE(turned.applies(goal.width));
    const Distance d = turned.distance(goal);
    if (gap < 1e-8) continue;
    EXPECT_LE(d.lower, gap + 1e-15);
    EXPECT_GE(d.upper, gap - 1e-15);
    EXPECT_LE(d.upper - d.lower, 1e-9) << k;
    EXPECT_NEAR((d.point_a - d.point_b).norm(), gap, 1e-9);
    EXPECT_NEAR((d.point_a.head<2>()).norm(), 1.0, 1e-12);
    EXPECT_LT(d.tests, 20'000);
    // the whole search makes use of it
    const Distance whole = PairSearch(a, b, f).distance(goal);
    EXPECT_LE(whole.lower, gap + 1e-15);
    EXPECT_GE(whole.lower, gap - 1e-9);
    EXPECT_LT(whole.tests, 30'000);
  }
}

TEST(Coaxial, is_left_alone_where_the_axes_differ_or_the_neglected_counts) {
  Surface a(*rim(1.0)), b(*shape::make_torus({0.9, 0.25}).value());
  Surface box(*shape::make_box({Vec3(1, 1, 1)}).value());
  const auto applies = [&](Surface& other, const Vec3& shift, double tilt, double width) {
    Frame f;
    f.shift = shift;
    f.turn = rotation_from_vector(Vec3(tilt, 0, 0)).toRotationMatrix();
    return Coaxial(a, other, f).applies(width);
  };
  EXPECT_TRUE(applies(b, Vec3(0, 0, 1), 0.0, 1e-9));
  EXPECT_TRUE(applies(b, Vec3(1e-6, 0, 1), 0.0, 1e-9));
  EXPECT_FALSE(applies(b, Vec3(1e-4, 0, 1), 0.0, 1e-9));
  EXPECT_FALSE(applies(b, Vec3(0, 1e-4, 1), 0.0, 1e-9));
  EXPECT_FALSE(applies(b, Vec3(0, 0, 1), 1e-4, 1e-9));
  EXPECT_FALSE(applies(b, Vec3(0, 0, 1), 0.1, 1.0));
  EXPECT_FALSE(applies(b, Vec3(0.1, 0, 1), 0.0, 1.0));
  EXPECT_FALSE(applies(box, Vec3(0, 0, 1), 0.0, 1e-9));
}

TEST(Coaxial, points_near_the_axis_are_bounded_all_the_same) {
  // a tip over a disc, beside its middle: the nearest point lies on b's own axis
  const auto tip = turned({{0.0, 0.0}, {0.5, 1.0}, {0.0, 1.0}}, {0, 1, 2}, 1.0);
  const auto plate = turned({{0.0, -0.2}, {1.0, -0.2}, {1.0, 0.0}, {0.0, 0.0}}, {0, 1, 2, 3}, 1.0);
  Surface a(*plate), b(*tip);
  Frame f;
  f.shift = Vec3(1e-6, 0.0, 0.01);
  DistanceGoal goal;
  goal.width = 1e-9;
  const Distance d = Coaxial(a, b, f).distance(goal);
  EXPECT_LE(d.lower, 0.01);
  EXPECT_GE(d.lower, 0.01 - 1e-5);
  EXPECT_GE(d.upper, 0.01);
}

/// A dome turned from a spline: it hangs in the rim by its slope.
shape::ShapePtr dome(double scale) {
  return turned({{0.0, -0.5}, {0.6, -0.4}, {1.0, -0.1}, {1.2, 0.3}, {0.0, 0.3}}, {3, 4}, scale);
}

TEST(Coaxial, a_dome_hung_in_a_rim_is_bracketed_at_every_scale_and_place) {
  Random random(5);
  for (const double scale : {1e-3, 1.0, 1e3}) {
    const auto under = rim(scale), hung = dome(scale);
    const Pose world{scale * random_direction(random), random_rotation(random)};
    const auto at = [&](double height) {
      const Pose up{Vec3(0, 0, scale * height), Quat::Identity()};
      PlacedBody fixed, lowered;
      fixed.shape = under;
      fixed.world_from_body = world;
      lowered.shape = hung;
      lowered.world_from_body = world * up;
      return gap(fixed, lowered);
    };
    // down to contact by what the lower bounds allow
    double height = 0.5;
    for (int k = 0; k < 25; ++k) height -= std::max(0.0, at(height).lower / scale);
    const GapBracket touching = at(height);
    EXPECT_LE(touching.upper, 2e-9 * scale);
    EXPECT_GE(touching.lower, -2e-9 * scale) << touching.tests;
    const GapBracket above = at(height + 1e-6), below = at(height - 1e-6);
    EXPECT_EQ(above.status, GapStatus::closed);
    EXPECT_GT(above.lower, 0.3e-6 * scale);
    EXPECT_LT(above.upper, 1e-6 * scale);
    EXPECT_LT(below.upper, -0.3e-6 * scale);
    EXPECT_GT(below.lower, -1.3e-6 * scale);
  }
}

TEST(Meridian, is_found_behind_maps_along_the_axis_alone) {
  const auto faces = [](const shape::ShapePtr& s) {
    return std::get<shape::Solid>(s->geometry).parts[0].faces;
  };
  int straight = 0;
  for (const shape::Face& face : faces(rim(1.0))) {
    const auto m = shape::meridian_of(*face.patch);
    ASSERT_TRUE(m);
    if (m->curve) continue;
    ++straight;
    for (const Vec2& end : {m->from, m->to}) {
      EXPECT_TRUE(end.x() == 1.0 || end.x() == 1.5);
      EXPECT_TRUE(end.y() == -0.3 || end.y() == 0.0);
    }
  }
  EXPECT_EQ(straight, 4);
  for (const shape::Face& face : faces(shape::make_box({Vec3(1, 1, 1)}).value()))
    EXPECT_FALSE(shape::meridian_of(*face.patch));
}

}  // namespace
}  // namespace repose::check
