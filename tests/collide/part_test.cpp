#include "repose/collide/part.h"

#include <gtest/gtest.h>

#include "repose/base/random.h"
#include "repose/shape/make.h"

namespace repose::collide {
namespace {

Pose random_pose(Random& random, double spread) {
  const auto vector = [&] {
    return Vec3(random.between(-1.0, 1.0), random.between(-1.0, 1.0), random.between(-1.0, 1.0));
  };
  Pose out;
  out.rotation = rotation_from_vector(3.0 * vector());
  out.position = spread * vector();
  return out;
}

/// The distance of two convex sets by descent over directions alone: no plane parts them by more.
double best_gap(const PlacedPiece& upper, const PlacedPiece& lower, Random& random) {
  const auto gap = [&](const Vec3& n) {
    return n.dot(upper.support(-n)) - n.dot(lower.support(n));
  };
  Vec3 best = Vec3::UnitX();
  for (double step = 2.0; step > 1e-7; step *= 0.97)
    for (int k = 0; k < 12; ++k) {
      const Vec3 other = (best + step * Vec3(random.between(-1.0, 1.0), random.between(-1.0, 1.0),
                                             random.between(-1.0, 1.0)))
                             .normalized();
      if (gap(other) > gap(best)) best = other;
    }
  return gap(best);
}

TEST(part, the_plane_between_convex_bodies_parts_them_by_their_distance) {
  const std::vector<shape::ShapePtr> shapes = {
      shape::make_box({.size = Vec3(0.6, 0.8, 1.0)}).value(),
      shape::make_cylinder({.radius = 0.4, .height = 1.0}).value(),
      shape::make_capsule({.radius = 0.3, .height = 0.8}).value(),
      shape::make_ellipsoid({.radii = Vec3(0.5, 0.4, 0.3)}).value()};
  Random random(5);
  int apart = 0;
  for (int k = 0; k < 80; ++k) {
    const auto one = obstacle_of(shapes[static_cast<std::size_t>(k) % shapes.size()]);
    const auto other = obstacle_of(shapes[static_cast<std::size_t>(k / 4) % shapes.size()]);
    const PlacedPiece upper{one.get(), 0, random_pose(random, 1.2)};
    const PlacedPiece lower{other.get(), 0, random_pose(random, 1.2)};
    const Parting found = part(upper, lower);
    EXPECT_NEAR(found.normal.norm(), 1.0, 1e-12);
    EXPECT_NEAR(found.normal.dot(lower.support(found.normal)), found.offset, 1e-12);
    EXPECT_NEAR(found.normal.dot(upper.support(-found.normal)) - found.offset, found.gap, 1e-12);
    const double best = best_gap(upper, lower, random);
    if (best < 1e-3) continue;
    ++apart;
    EXPECT_GE(found.gap, best - 1e-6) << k;
  }
  EXPECT_GT(apart, 20);
}

TEST(part, boxes_that_touch_along_a_face_are_parted_by_it) {
  const auto box = obstacle_of(shape::make_box({.size = Vec3::Ones()}).value());
  Pose above;
  above.position = Vec3(0.2, 0.1, 1.0);
  const Parting found = part({box.get(), 0, above}, {box.get(), 0, Pose()});
  EXPECT_NEAR(found.gap, 0.0, 1e-12);
  EXPECT_NEAR(found.normal.z(), 1.0, 1e-9);
}

}  // namespace
}  // namespace repose::collide
