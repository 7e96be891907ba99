// What flat ends of cylinders and cones share with what they stand on.
#include "src/check/gap/shared_face.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "repose/check/verdict.h"
#include "repose/shape/make.h"

#include "check/shapes.h"

namespace repose::check {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr int kCorners = 200;
constexpr double kSagitta = 2e-4;  // of the radius: what their chords leave out

shape::ShapePtr can(double radius, double height) {
  return shape::make_cylinder({radius, height}).value();
}

/// Two cans of one size, one on the other, shifted along x by `off` radii.
struct Stack {
  Pose by;
  PlacedBody low, high;
};
Stack stack(double scale, double off, double gap, Random& random) {
  Stack s{{scale * 3.0 * random_direction(random), random_rotation(random)}, {}, {}};
  const auto shape = can(scale, 0.8 * scale);
  s.low = at(shape, s.by * Vec3::Zero(), s.by.rotation);
  s.high = at(shape, s.by * (scale * Vec3(off, 0, 0.8 + gap)),
              s.by.rotation * rotation_from_vector(Vec3(0, 0, random.between(0, 6))));
  return s;
}

/// Square metres; by the corners' own plane.
double area_of(const SharedFace& face) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t k = 0; k < face.corners.size(); ++k)
    sum += (face.corners[k] - face.corners[0])
               .cross(face.corners[(k + 1) % face.corners.size()] - face.corners[0]);
  return 0.5 * sum.norm();
}

TEST(SharedFace, two_cans_share_the_lens_of_their_ends) {
  Random random(231);
  for (const double scale : {1e-3, 1.0, 1e3})
    for (const double off : {0.0, 0.3, 1.0, 1.7}) {
      const Stack s = stack(scale, off, 1e-9, random);
      const auto face = shared_face(s.low, s.high, {1e-6 * scale, kCorners});
      ASSERT_TRUE(face) << scale << ' ' << off;
      // the area of two unit discs' lens in closed form; chords leave out a little of it
      const double lens = 2.0 * std::acos(off / 2) - 0.5 * off * std::sqrt(4 - off * off);
      EXPECT_NEAR(area_of(*face) / (scale * scale), lens, 2.0 * kPi * kSagitta);
      EXPECT_LE(area_of(*face), scale * scale * lens * (1 + 1e-9));
      EXPECT_NEAR((face->normal_a_to_b - s.by.turn(Vec3::UnitZ())).norm(), 0.0, 1e-12);
      for (std::size_t k = 0; k < face->corners.size(); ++k) {
        const Vec3 p = s.by.inverse() * face->corners[k] / scale;
        EXPECT_LE(p.head<2>().norm(), 1 + 1e-9);
        EXPECT_LE((p.head<2>() - Vec2(off, 0)).norm(), 1 + 1e-9);
        EXPECT_NEAR(p.z(), 0.4, 2e-9);
        EXPECT_NEAR(face->gaps[k] / scale, 1e-9, 1e-12);
      }
    }
}

TEST(SharedFace, what_lies_between_the_corners_of_a_can_on_a_box_is_in_both) {
  Random random(232);
  const auto box = shape::make_box({Vec3(2, 1.2, 0.5)}).value();
  for (int k = 0; k < 100; ++k) {
    const Pose by{random_direction(random), random_rotation(random)};
    const Vec2 at_can(random.between(-1.4, 1.4), random.between(-1, 1));
    const PlacedBody low = at(box, by * Vec3::Zero(), by.rotation);
    const PlacedBody high = at(can(0.5, 1), by * Vec3(at_can.x(), at_can.y(), 0.75), by.rotation);
    const auto face = shared_face(low, high, {1e-6, kCorners});
    // counted on a grid
    int inside = 0;
    constexpr int kCells = 200;
    for (int i = 0; i < kCells; ++i)
      for (int j = 0; j < kCells; ++j) {
        const Vec2 p = at_can + Vec2((i + 0.5) / kCells - 0.5, (j + 0.5) / kCells - 0.5);
        inside += (p - at_can).norm() < 0.5 && std::fabs(p.x()) < 1.0 && std::fabs(p.y()) < 0.6;
      }
    const double area = static_cast<double>(inside) / (kCells * kCells);
    if (area == 0.0) {
      EXPECT_FALSE(face) << k;
    } else if (area > 1e-3) {
      ASSERT_TRUE(face) << k;
      EXPECT_NEAR(area_of(*face), area, 4e-3) << k;
      EXPECT_NEAR((face->normal_a_to_b - by.turn(Vec3::UnitZ())).norm(), 0.0, 1e-12);
    }
  }
}

TEST(SharedFace, faces_that_lean_or_stand_apart_or_overlap_share_nothing) {
  const auto shape = can(1, 1);
  const PlacedBody low = at(ground(), Vec3::Zero());
  EXPECT_TRUE(shared_face(low, at(shape, Vec3(0, 0, 0.5)), {1e-6, kCorners}));
  EXPECT_FALSE(shared_face(low, at(shape, Vec3(0, 0, 0.5 + 2e-6)), {1e-6, kCorners}));
  EXPECT_FALSE(shared_face(low, at(shape, Vec3(0, 0, 0.5 - 2e-6)), {1e-6, kCorners}));
  const Quat lean = rotation_from_vector(Vec3(1e-5, 0, 0));
  EXPECT_FALSE(shared_face(low, at(shape, Vec3(0, 0, 0.5 + 1e-5), lean), {1e-6, kCorners}));
  EXPECT_FALSE(shared_face(low, at(shape, Vec3(0, 0, 1), rotation_from_vector(Vec3(kPi / 2, 0, 0))),
                           {1e-6, kCorners}));
  // the tip of a cone is no face, its base is
  const auto cone = shape::make_cone({1.0, 1.0}).value();
  int ends = 0;
  for (const double turn : {0.0, kPi})
    for (const double height : {0.25, 0.5, 0.75, 0.0, 1.0})
      ends += shared_face(low, at(cone, Vec3(0, 0, height), rotation_from_vector(Vec3(turn, 0, 0))),
                          {1e-6, kCorners})
                  .has_value();
  EXPECT_EQ(ends, 1);
}

TEST(SharedFace, a_can_stands_on_a_smaller_one_up_to_its_rim) {
  Random random(234);
  for (const double scale : {1e-3, 1.0, 1e3})
    for (const double off : {0.99, 1.05}) {
      const Pose by{scale * random_direction(random), random_rotation(random)};
      Input input;
      input.gravity = by.turn(Vec3(0, 0, -9.81));
      input.bodies = {
          at(can(0.5 * scale, scale), by * Vec3::Zero(), by.rotation),
          at(can(scale, 0.4 * scale), by * (scale * Vec3(0.5 * off, 0, 0.7 + 1e-10)), by.rotation)};
      input.bodies[0].fixed = true;
      const Verdict v = check(input);
      EXPECT_EQ(v.balanced, off < 1.0 ? Answer::proven : Answer::missed) << scale << ' ' << off;
      EXPECT_LT(v.contacts.size(), 400u);
    }
}

TEST(SharedFace, a_can_tips_when_its_weight_points_past_its_rim) {
  Random random(235);
  for (const double height : {0.5, 1.0, 3.0})
    for (const double share : {0.98, 1.03}) {
      const Pose by{random_direction(random), random_rotation(random)};
      const double tilt = share * std::atan(2.0 / height), towards = random.between(0, 6);
      Input input;
      input.gravity = by.turn(9.81 * Vec3(std::sin(tilt) * std::cos(towards),
                                          std::sin(tilt) * std::sin(towards), -std::cos(tilt)));
      input.bodies = {at(ground(), by * Vec3::Zero(), by.rotation),
                      at(can(1, height), by * Vec3(0.3, -0.2, 0.5 * height + 1e-10), by.rotation)};
      input.bodies[0].fixed = true;
      for (PlacedBody& body : input.bodies) body.friction = 10.0;
      EXPECT_EQ(check(input).balanced, share < 1.0 ? Answer::proven : Answer::missed)
          << height << ' ' << share;
    }
}

}  // namespace
}  // namespace repose::check
