// A corner in a pit from which one ridge leaves: it may slip past the ridge on either side, and
// rests where neither side lets it go.
#include <gtest/gtest.h>

#include "repose/check/verdict.h"
#include "repose/shape/make.h"

#include "check/shapes.h"

namespace repose::check {
namespace {

/// A block with four triangles about the origin on top. Heights of the points at (1, 0), at 60
/// degrees on either side, and at (-1, 0).
shape::ShapePtr pit(double ridge, double beside, double behind) {
  const double x = std::cos(std::numbers::pi / 3.0), y = std::sin(std::numbers::pi / 3.0);
  const Vec3 around[] = {{1, 0, ridge}, {x, y, beside}, {-1, 0, behind}, {x, -y, beside}};
  shape::MeshInput in;
  in.mesh.points = {Vec3::Zero(), Vec3(0, 0, -1)};
  for (const Vec3& p : around) {
    in.mesh.points.push_back(p);
    in.mesh.points.emplace_back(p.x(), p.y(), -1.0);
  }
  for (int k = 0; k < 4; ++k) {
    const int a = 2 + 2 * k, b = 2 + 2 * ((k + 1) % 4);
    for (const std::array<int, 3>& t :
         {std::array{0, a, b}, {1, b + 1, a + 1}, {a, a + 1, b + 1}, {a, b + 1, b}})
      in.mesh.triangles.push_back(t);
  }
  return shape::make_mesh(in).value();
}

/// A slender pyramid on its apex there, turned about the vertical; no friction.
Verdict stood_in(const shape::ShapePtr& below, double turn) {
  shape::ConvexInput in;
  in.points = {Vec3::Zero()};
  for (const double side : {-1.0, 1.0})
    for (const double other : {-1.0, 1.0}) in.points.emplace_back(0.1 * side, 0.1 * other, 0.8);
  Input input;
  const Quat turned = rotation_from_vector(turn * Vec3::UnitZ());
  input.bodies = {at(below, Vec3::Zero()),
                  at(shape::make_convex(in).value(), 1e-9 * Vec3::UnitZ(), turned)};
  input.bodies[0].fixed = true;
  input.bodies[0].friction = input.bodies[1].friction = 0.0;
  input.bodies[0].name = "pit";
  input.bodies[1].name = "pyramid";
  return check(input);
}

TEST(Ridges, a_corner_rests_at_the_end_of_a_ridge_that_lets_it_go_to_neither_side) {
  for (const double turn : {0.0, 0.3, 1.1}) {
    const Verdict v = stood_in(pit(0.6, 0.2, 0.3), turn);
    EXPECT_EQ(v.overlap, Answer::proven) << v.why;
    EXPECT_EQ(v.balanced, Answer::proven) << v.why;
  }
}

TEST(Ridges, a_corner_slides_down_beside_a_ridge_where_only_both_of_its_faces_would_hold_it) {
  for (const double turn : {0.0, 0.3, 1.1}) {
    const Verdict v = stood_in(pit(0.6, -0.1, 0.3), turn);
    EXPECT_EQ(v.overlap, Answer::proven) << v.why;
    EXPECT_EQ(v.balanced, Answer::missed) << v.why;
  }
}

}  // namespace
}  // namespace repose::check
