// Cases on either side of the judge's thresholds, which bodies of everyday shapes seldom meet.
#include <gtest/gtest.h>

#include "repose/check/force_ranges.h"
#include "repose/shape/make.h"

#include "check/shapes.h"
#include "src/check/gap/distance.h"
#include "src/check/gap/gjk_loop.h"
#include "src/check/gap/inside.h"
#include "src/check/gap/prepared.h"
#include "src/check/statics/second_order.h"
#include "src/check/verdict/tally.h"
#include "src/poses/normal_fan.h"

namespace repose::check {
namespace {

using namespace poses;

/// The distance of the origin from a triangle whose height is `flat`, of sides about one.
double nearest_of_flat(double flat) {
  GjkSimplex simplex;
  for (const Vec3& p : {Vec3(-1, -flat, flat), Vec3(1, -flat, flat), Vec3(0, 2 * flat, flat)})
    simplex.add(Vec3::Zero(), p);
  return simplex.nearest().norm() / flat;
}

TEST(Thresholds, triangles_as_flat_as_rounding_are_left_to_their_sides) {
  EXPECT_NEAR(nearest_of_flat(1e-15), std::sqrt(2.0), 1e-6);
  EXPECT_NEAR(nearest_of_flat(1e-13), 1.0, 1e-6);
}

/// A corner on the ridge of two triangles, whose normals make the angle `bend`.
std::vector<ContactPoint> on_ridge(double bend) {
  const double h = std::tan(0.5 * bend);
  const auto ridge =
      mesh({Vec3(0, -2, 0), Vec3(0, 2, 0), Vec3(1, 0, -h), Vec3(-1, 0, -h), Vec3(0, 0, -1)},
           {{0, 2, 1}, {0, 1, 3}, {0, 4, 2}, {1, 2, 4}, {0, 3, 4}, {1, 4, 3}});
  const auto peg = mesh({Vec3(0, 0, 0), Vec3(0.3, 0, 1), Vec3(-0.2, 0.3, 1), Vec3(-0.2, -0.3, 1)},
                        {{0, 2, 1}, {0, 3, 2}, {0, 1, 3}, {1, 2, 3}});
  return find_contacts(at(ridge, Vec3::Zero()), at(peg, Vec3(0, 0.3, 0)));
}

TEST(Thresholds, normals_of_one_place_are_told_apart_from_4e_5_on) {
  EXPECT_EQ(on_ridge(4e-4).size(), 2u);
  EXPECT_EQ(on_ridge(1e-5).size(), 1u);
}

TEST(Thresholds, ranges_of_forces_that_cannot_balance_are_not_known) {
  Input input;
  input.bodies = {at(ground(), Vec3::Zero()), at(ball(1.0), Vec3(0, 0, 1))};
  input.bodies[0].fixed = true;
  ContactPoint c;
  c.body_a = 0;
  c.body_b = 1;
  c.normal_a_to_b = Vec3::UnitX();
  const auto ranges = force_ranges(input, {c}, {});
  ASSERT_EQ(ranges.size(), 1u);
  EXPECT_FALSE(ranges[0].known);
}

TEST(Thresholds, only_points_beyond_the_reach_and_its_rounding_are_outside_without_a_ray) {
  const auto surface = surface_of(box_mesh(Vec3(2, 2, 2)));
  const auto rays = [&](double part) {
    const long before = tally.rays;
    side_of(*surface, Vec3(part * surface->reach(), 0, 0));
    return tally.rays - before;
  };
  for (const double near : {1.0 - 60 * kUlp, 1.0 + 60 * kUlp}) EXPECT_GT(rays(near), 0);
  EXPECT_EQ(rays(1.0 + 1000 * kUlp), 0);
}

TEST(Thresholds, points_that_no_face_uses_have_no_cell) {
  const auto box = shape::make_box({Vec3(1, 2, 3)}).value();
  shape::ConvexPolyhedron hull = *shape::convex_of(box);
  hull.points.emplace_back(0.1, 0.1, 0.1);
  const NormalFan fan(hull, Vec3::Zero());
  ASSERT_EQ(fan.cells().size(), hull.points.size());
  EXPECT_TRUE(fan.cells().back().arcs.empty());
  EXPECT_EQ(fan.cells().front().arcs.size(), 3u);
}

TEST(Thresholds, a_component_is_found_whichever_corner_of_its_triangles_its_first_point_is) {
  std::vector<Vec3> points;
  for (const double x : {0.0, 5.0})
    for (const Vec3& p : {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)})
      points.push_back(p + Vec3(x, 0, 0));
  const auto first_points = [&](int turn) {
    std::vector<std::array<int, 3>> triangles;
    for (const int from : {0, 4})
      for (const auto& t :
           {std::array{0, 2, 1}, std::array{0, 1, 3}, std::array{0, 3, 2}, std::array{1, 2, 3}})
        triangles.push_back({from + t[static_cast<std::size_t>(turn % 3)],
                             from + t[static_cast<std::size_t>((turn + 1) % 3)],
                             from + t[static_cast<std::size_t>((turn + 2) % 3)]});
    return surface_of(mesh(points, triangles))->part_points();
  };
  for (int turn = 0; turn < 3; ++turn) {
    const auto found = first_points(turn);
    ASSERT_EQ(found.size(), 2u) << turn;
    EXPECT_EQ(found[0], points[0]);
    EXPECT_EQ(found[1], points[4]);
  }
}

/// The plane, of which nothing is known over boxes wider than a half.
class Shy final : public shape::Patch {
 public:
  shape::UvBox domain() const override { return {1.0, 4.0, 2.0, 4.0}; }
  shape::PatchJet jet(double u, double v) const override {
    const Vec3 zero = Vec3::Zero();
    return {Vec3(u, v, 0), Vec3::UnitX(), Vec3::UnitY(), zero, zero, zero};
  }
  shape::PatchEnclosure enclose(const shape::UvBox& box) const override {
    constexpr double kWidest = 0.5, kFar = std::numeric_limits<double>::infinity();
    if (box.u1 - box.u0 > kWidest || box.v1 - box.v0 > kWidest) {
      const IVec3 all{Interval(-kFar, kFar), Interval(-kFar, kFar), Interval(-kFar, kFar)};
      return {all, all, all, all, all, all};
    }
    const Interval none(0.0), one(1.0);
    const IVec3 zero{none, none, none};
    return {{Interval(box.u0, box.u1), Interval(box.v0, box.v1), none},
            {one, none, none},
            {none, one, none},
            zero,
            zero,
            zero};
  }
};

TEST(Thresholds, patches_unbounded_as_a_whole_are_split_along_their_longer_side) {
  const Shy patch;
  EXPECT_FALSE(patch_piece(patch, {2, 5, 0, 4}).split_u);
  EXPECT_TRUE(patch_piece(patch, {2, 5, 1, 3.5}).split_u);
  EXPECT_TRUE(patch_piece(patch, {2, 4, 1, 3}).split_u);
  const Surface surface(*solid({std::make_shared<Shy>()}, 6.0, shape::ShapeKind::formula));
  EXPECT_EQ(surface.count_at_first(), 2u * 8u * 4u - 1u);  // three halvings along u, two along v
  EXPECT_NEAR(surface.reach(), std::sqrt(32.0), 0.5);
}

/// A post free to rise and to tip about x, on two feet `apart` of its size from the middle.
SecondOrder on_feet(double apart) {
  Input input;
  input.bodies = {at(ground(), Vec3::Zero()), at(ball(1.0), Vec3(0, 0, 5))};
  input.bodies[0].fixed = true;
  input.bodies[1].frozen = {true, true, false, false, true, true};
  std::vector<ContactPoint> contacts(2);
  for (int k = 0; k < 2; ++k) {
    contacts[static_cast<std::size_t>(k)].body_a = 0;
    contacts[static_cast<std::size_t>(k)].body_b = 1;
    contacts[static_cast<std::size_t>(k)].point = Vec3(0, (k ? 2.0 : -2.0) * apart, 0);
  }
  return second_order(input, contacts, balance(input, contacts));
}

TEST(Thresholds, a_post_may_tip_on_feet_nearer_than_3e_4_of_size) {
  EXPECT_GT(on_feet(5e-5).motion.size(), 0);
  EXPECT_EQ(on_feet(0.01).motion.size(), 0);
}

}  // namespace
}  // namespace repose::check
