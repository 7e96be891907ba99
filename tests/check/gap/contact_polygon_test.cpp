// Where the outermost faces, edges and corners of two convex bodies lie over each other.
#include "src/check/gap/contact_polygon.h"

#include <gtest/gtest.h>

#include "repose/math/pose.h"
#include "repose/shape/make.h"

namespace repose::check {
namespace {

struct Made {
  std::shared_ptr<const ConvexBody> a, b;
  Frame frame;
};
SharedPoint shared(const Made& m, const Vec3& d) {
  return shared_point(ConvexPair(*m.a, *m.b, m.frame), d);
}
Made over(const shape::ShapePtr& a, const shape::ShapePtr& b, const Vec3& shift, const Quat& turn) {
  Made m{ConvexBody::of(a), ConvexBody::of(b), {}};
  m.frame.shift = shift;
  m.frame.turn = turn.toRotationMatrix();
  return m;
}
bool in_box(const Vec3& p, const Vec3& half) {
  return (p.cwiseAbs() - half).maxCoeff() <= 1e-9;
}

TEST(ContactPolygon, a_point_of_two_faces_lies_on_both) {
  Random random(141);
  const auto big = shape::make_box({Vec3(2, 3, 1)}).value(),
             small = shape::make_box({Vec3(1, 1.4, 0.6)}).value();
  int found = 0;
  for (int k = 0; k < 300; ++k) {
    const Quat turn = rotation_from_vector(Vec3(0, 0, random.between(0, 6)));
    const Vec3 shift(random.between(-2, 2), random.between(-2.5, 2.5), 0.79);
    for (const bool first : {true, false}) {
      const Made m = first ? over(big, small, shift, turn)
                           : over(small, big, -(turn.conjugate() * shift), turn.conjugate());
      const SharedPoint s = shared(m, first ? Vec3::UnitZ() : Vec3(-Vec3::UnitZ()));
      // over each other where some point of the small face lies in the big one: by a fine grid
      int inside = 0;
      for (int i = 0; i <= 20; ++i)
        for (int j = 0; j <= 20; ++j) {
          const Vec3 p = turn * Vec3(-0.5 + i / 20.0, -0.7 + 1.4 * j / 20.0, 0) + shift;
          inside += std::fabs(p.x()) < 1.0 && std::fabs(p.y()) < 1.5;
        }
      if (inside > 2) {
        EXPECT_TRUE(s.found) << k;
      }
      if (!s.found) continue;
      ++found;
      const Vec3 half_a = first ? Vec3(1, 1.5, 0.5) : Vec3(0.5, 0.7, 0.3);
      const Vec3 half_b = first ? Vec3(0.5, 0.7, 0.3) : Vec3(1, 1.5, 0.5);
      EXPECT_TRUE(in_box(s.on_a, half_a)) << k;
      EXPECT_TRUE(in_box(m.frame.turn.transpose() * (s.on_b - m.frame.shift), half_b)) << k;
      EXPECT_NEAR(std::fabs(s.on_a.z()), half_a.z(), 1e-12);
      EXPECT_LT((s.on_a - s.on_b).head<2>().norm(), 1e-12);
      EXPECT_NEAR((s.on_a - s.on_b).z(), first ? 0.01 : -0.01, 1e-12);
    }
  }
  EXPECT_GT(found, 200);
}

TEST(ContactPolygon, crossing_edges_share_their_crossing) {
  const auto cube = shape::make_box({Vec3(1, 1, 1)}).value();
  const Quat on_edge = rotation_from_vector(Vec3(0, std::acos(-1.0) / 4, 0));
  const double up = std::sqrt(0.5);
  // a as it stands, d along its upper edge's bisector; b's lower edge crosswise
  for (const double x : {-0.2, 0.3}) {
    const Vec3 d = on_edge.conjugate() * Vec3::UnitZ();
    const Quat turn = on_edge.conjugate() * rotation_from_vector(Vec3(std::acos(-1.0) / 4, 0, 0));
    const Made m = over(cube, cube, on_edge.conjugate() * Vec3(x, 0.1, 2.0 * up - 0.01), turn);
    const SharedPoint s = shared(m, d);
    ASSERT_TRUE(s.found);
    EXPECT_LT((on_edge * s.on_a - Vec3(0, 0.1, up)).norm(), 1e-9);
    EXPECT_LT((on_edge * s.on_b - Vec3(0, 0.1, up - 0.01)).norm(), 1e-9);
  }
}

TEST(ContactPolygon, a_corner_or_a_rim_over_a_face) {
  const auto box = shape::make_box({Vec3(2, 2, 1)}).value();
  const Quat tipped = rotation_between(Vec3(1, 1, 1), -Vec3::UnitZ());
  const auto cube = shape::make_box({Vec3(1, 1, 1)}).value();
  const SharedPoint corner =
      shared(over(box, cube, Vec3(0.3, 0.2, 0.5 + std::sqrt(0.75)), tipped), Vec3::UnitZ());
  ASSERT_TRUE(corner.found);
  EXPECT_LT((corner.on_a - Vec3(0.3, 0.2, 0.5)).norm(), 1e-9);
  EXPECT_FALSE(
      shared(over(box, cube, Vec3(1.3, 0.2, 0.5 + std::sqrt(0.75)), tipped), Vec3::UnitZ()).found);
  const auto can = shape::make_cylinder({0.4, 1.0}).value();
  const SharedPoint rim =
      shared(over(box, can, Vec3(0.8, 0.3, 1.0), Quat::Identity()), Vec3::UnitZ());
  ASSERT_TRUE(rim.found);
  EXPECT_LE(rim.on_a.x(), 1.0);
  EXPECT_LE((rim.on_b.head<2>() - Vec2(0.8, 0.3)).norm(), 0.4);
  EXPECT_FALSE(shared(over(box, can, Vec3(1.5, 0.3, 1.0), Quat::Identity()), Vec3::UnitZ()).found);
  // round bodies have no faces to lie over each other
  const auto egg = shape::make_ellipsoid({Vec3(1, 1, 0.5)}).value();
  EXPECT_FALSE(shared(over(egg, egg, Vec3(0, 0, 1), Quat::Identity()), Vec3::UnitZ()).found);
}

}  // namespace
}  // namespace repose::check
