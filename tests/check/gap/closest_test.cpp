// Gaps whose nearest point lies on a corner, a side or a face, and depths of balls.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "repose/check/gap.h"
#include "repose/shape/make.h"

#include "check/shapes.h"
#include "src/check/gap/convex_body.h"

namespace repose::check {
namespace {

/// A tetrahedron with its triangles named from their k-th corner on.
shape::ShapePtr tetrahedron(const std::vector<Vec3>& points, int k) {
  std::vector<std::array<int, 3>> triangles{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  for (auto& t : triangles) std::rotate(t.begin(), t.begin() + k, t.end());
  return mesh(points, triangles);
}

TEST(Closest, a_ball_finds_corners_sides_and_faces_whatever_their_order) {
  const std::vector<Vec3> p{Vec3(0, 0, 0), Vec3(1, 0.1, 0), Vec3(0.2, 1.3, 0), Vec3(0.3, 0.4, 1.1)};
  const Vec3 center = 0.25 * (p[0] + p[1] + p[2] + p[3]);
  const double r = 0.05, away = 0.3;
  const auto gap_at = [&](const shape::ShapePtr& body, const Vec3& c) {
    return gap(at(body, Vec3::Zero()), at(ball(r), c));
  };
  const auto expect = [&](const GapBracket& g, const Vec3& nearest) {
    EXPECT_NEAR(g.upper, away - r, 1e-9);
    EXPECT_NEAR(g.lower, away - r, 1e-9);
    EXPECT_LT((g.point_a - nearest).norm(), 1e-6);
  };
  for (int k = 0; k < 3; ++k) {
    const auto body = tetrahedron(p, k);
    for (std::size_t i = 0; i < 4; ++i) {
      // straight out of the corner: beyond all that the other corners see
      Vec3 out = Vec3::Zero();
      for (std::size_t j = 0; j < 4; ++j)
        if (j != i) out += (p[i] - p[j]).normalized();
      expect(gap_at(body, p[i] + away * out.normalized()), p[i]);
      // over the face across
      const Vec3 &a = p[(i + 1) % 4], &b = p[(i + 2) % 4], &c = p[(i + 3) % 4];
      Vec3 normal = (b - a).cross(c - a).normalized();
      if (normal.dot(a - center) < 0.0) normal = -normal;
      const Vec3 middle = (a + b + c) / 3.0;
      expect(gap_at(body, middle + away * normal), middle);
      // out of the sides: between the normals of their two faces
      for (std::size_t j = 0; j < i; ++j) {
        const Vec3 way = (p[i] - p[j]).normalized(), half = 0.5 * (p[i] + p[j]);
        Vec3 outward = Vec3::Zero();
        for (std::size_t other = 0; other < 4; ++other) {
          if (other == i || other == j) continue;
          const Vec3 in = p[other] - half;
          outward -= (in - way.dot(in) * way).normalized();
        }
        expect(gap_at(body, half + away * outward.normalized()), half);
      }
    }
  }
}

/// Minus the largest distance from a point of one sphere inside the other to the other, over points
/// of the half circle that turning about the line of centres makes the sphere.
double plain_depth(double d, double ra, double rb) {
  double deepest = 0.0;
  constexpr int kPoints = 20'000;
  for (int k = 0; k <= kPoints; ++k) {
    const double t = std::numbers::pi * k / kPoints;
    deepest = std::max(deepest, ra - std::hypot(d + rb * std::cos(t), rb * std::sin(t)));
    deepest = std::max(deepest, rb - std::hypot(d + ra * std::cos(t), ra * std::sin(t)));
  }
  return -deepest;
}

TEST(Closest, depths_of_balls_that_cross_are_those_of_the_definition) {
  for (const auto& [d, ra, rb] : {std::array{1.2, 1.0, 0.5},
                                  {1.2, 0.5, 1.0},
                                  {0.7, 1.0, 0.2},
                                  {0.7, 0.2, 1.0},
                                  {1.05, 1.0, 0.9},
                                  {0.6, 0.5, 0.4}}) {
    const GapBracket g = gap(at(ball(ra), Vec3::Zero()), at(ball(rb), Vec3(0, d, 0)));
    EXPECT_NEAR(g.upper, plain_depth(d, ra, rb), 1e-6) << d << ' ' << ra << ' ' << rb;
    EXPECT_LE(g.lower, g.upper);
    EXPECT_NEAR(g.lower, g.upper, 1e-9);
  }
}

TEST(Closest, shallow_overlap_of_convex_bodies_lies_in_its_bracket) {
  // each reaches 0.1 deep into the top of a wide block
  constexpr double kDeep = 0.1;
  const auto block = box_mesh(Vec3(4, 4, 2));
  const Quat on_end = rotation_from_vector(Vec3(0, std::numbers::pi / 2, 0));
  const std::vector<PlacedBody> bodies{
      at(box_mesh(Vec3(1, 1, 1)), Vec3(0.2, 0.1, 1.5 - kDeep)),
      at(ball(0.5), Vec3(0.2, 0.1, 1.5 - kDeep)),
      at(cylinder(0.4, 1.0), Vec3(0.2, 0.1, 1.5 - kDeep)),
      at(cylinder(0.4, 1.0), Vec3(0.2, 0.1, 1.4 - kDeep), on_end),
      at(ellipsoid(Vec3(0.6, 0.5, 0.4)), Vec3(0.2, 0.1, 1.4 - kDeep)),
      at(torus(0.6, 0.2), Vec3(0.2, 0.1, 1.2 - kDeep)),
      at(superellipsoid(Vec3(0.5, 0.5, 0.5), 0.5, 0.5), Vec3(0.2, 0.1, 1.5 - kDeep))};
  Random random(3);
  for (const PlacedBody& body : bodies)
    for (int k = 0; k < 3; ++k) {
      const Pose by{random_direction(random), random_rotation(random)};
      PlacedBody a = at(block, by.position, by.rotation), b = body;
      b.world_from_body = by * body.world_from_body;
      const GapBracket g = k == 2 ? gap(b, a) : gap(a, b);
      EXPECT_LE(g.lower, -kDeep + 1e-9) << name_of(body.shape->kind);
      EXPECT_GE(g.upper, -kDeep - 1e-9) << name_of(body.shape->kind);
    }
}

TEST(Closest, bodies_sunk_by_a_rim_or_a_corner_are_as_deep_as_that_reaches) {
  const std::vector<shape::ShapePtr> sharp{
      shape::make_cylinder({0.4, 1.0}).value(), shape::make_cone({0.5, 0.9}).value(),
      shape::make_cone({0.5, 0.9, 0.2}).value(), shape::make_box({Vec3(1, 0.8, 0.6)}).value()};
  // into a flat top, and into the top line of a cylinder that lies along x
  const Quat lying = rotation_from_vector(Vec3(0, std::numbers::pi / 2, 0));
  const auto roller = shape::make_cylinder({1.0, 6.0}).value();
  const std::vector<PlacedBody> wide{at(shape::make_cylinder({3.0, 2.0}).value(), Vec3::Zero()),
                                     at(shape::make_box({Vec3(5, 6, 2)}).value(), Vec3::Zero()),
                                     at(roller, Vec3::Zero(), lying)};
  Random random(4);
  for (const PlacedBody& low : wide)
    for (const auto& high : sharp)
      for (const double deep : {1e-3, 0.02, 0.15})
        for (int k = 0; k < 6; ++k) {
          const Pose by{random_direction(random), random_rotation(random)};
          const Quat q = random_rotation(random);
          const Vec3 lowest = q * ConvexBody::of(high)->farthest(q.inverse() * Vec3(0, 0, -1));
          PlacedBody a = low, b = at(high, Vec3(0.2, 0, 1.0 - deep) - lowest, q);
          a.world_from_body = by * a.world_from_body;
          b.world_from_body = by * b.world_from_body;
          const GapBracket g = k % 2 ? gap(a, b, {.width = 1e-6}) : gap(b, a, {.width = 1e-6});
          EXPECT_NEAR(g.lower, -deep, 1e-5)
              << name_of(low.shape->kind) << ' ' << name_of(high->kind);
          EXPECT_NEAR(g.upper, -deep, 1e-5)
              << name_of(low.shape->kind) << ' ' << name_of(high->kind);
        }
}

}  // namespace
}  // namespace repose::check
