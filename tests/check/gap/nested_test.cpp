// Bodies that overlap although their surfaces do not meet.
#include <gtest/gtest.h>

#include "repose/check/gap.h"
#include "repose/shape/make.h"

#include "check/shapes.h"

namespace repose::check {
namespace {

/// Boxes of the given sizes and middles as one mesh.
shape::ShapePtr boxes(const std::vector<std::pair<Vec3, Vec3>>& sizes_and_middles) {
  std::vector<Vec3> points;
  std::vector<std::array<int, 3>> triangles;
  for (const auto& [size, middle] : sizes_and_middles) {
    const auto one = box_mesh(size);
    const auto& m = std::get<shape::TriangleMesh>(one->geometry);
    const int first = static_cast<int>(points.size());
    for (const Vec3& p : m.points) points.push_back(p + middle);
    for (const auto& [a, b, c] : m.triangles)
      triangles.push_back({first + a, first + b, first + c});
  }
  return mesh(points, triangles);
}

TEST(Nested, a_mesh_of_two_pieces_overlaps_where_either_lies_in_the_other_body) {
  const Vec3 small = Vec3::Constant(0.2), large = Vec3::Constant(4.0), away(10, 0, 0);
  for (const bool first : {true, false}) {
    const auto two = first ? boxes({{small, Vec3::Zero()}, {small, away}})
                           : boxes({{small, away}, {small, Vec3::Zero()}});
    for (const auto& around : {box_mesh(large), round_mesh(12, 8, 2.0), torus(10.0, 2.0)}) {
      const bool ring = around->kind == shape::ShapeKind::torus;
      const PlacedBody a = at(two, Vec3::Zero());
      const PlacedBody b = at(around, ring ? Vec3(0, 10, 0) : Vec3(0, 0, 0));
      for (const auto& g : {gap(a, b), gap(b, a)}) {
        EXPECT_EQ(g.status, GapStatus::overlap) << first << ' ' << name_of(around->kind);
        EXPECT_LT(g.upper, -1.0) << name_of(around->kind);
      }
    }
  }
}

TEST(Nested, pieces_that_lie_beside_the_other_body_do_not_overlap_it) {
  const Vec3 small = Vec3::Constant(0.2), away(10, 0, 0);
  const auto two = boxes({{small, away}, {small, -away}});
  const GapBracket g = gap(at(two, Vec3::Zero()), at(round_mesh(12, 8, 2.0), Vec3::Zero()));
  EXPECT_EQ(g.status, GapStatus::closed);
  EXPECT_NEAR(g.lower, 7.9, 0.1);
}

}  // namespace
}  // namespace repose::check
