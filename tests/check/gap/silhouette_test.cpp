// An edge across a corner of a mesh that lies between rising edges: both of them bear.
#include <algorithm>

#include <gtest/gtest.h>

#include "repose/check/contacts.h"
#include "repose/shape/make.h"

#include "check/shapes.h"

namespace repose::check {
namespace {

/// A block below a fan of eight triangles about its corner at the origin. `height` of the points
/// round about, counter-clockwise from (1, 0), times `size`.
shape::ShapePtr fan(const std::array<double, 8>& height, double size) {
  constexpr double kWay[8][2] = {{1, 0},  {1, 1},   {0, 1},  {-1, 1},
                                 {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
  std::vector<Vec3> points{Vec3::Zero(), Vec3(0, 0, -size)};
  for (const bool top : {true, false})
    for (std::size_t k = 0; k < 8; ++k)
      points.push_back(size * Vec3(kWay[k][0], kWay[k][1], top ? height[k] : -1.0));
  std::vector<std::array<int, 3>> triangles;
  for (int k = 0; k < 8; ++k) {
    const int a = 2 + k, b = 2 + (k + 1) % 8;
    triangles.push_back({0, a, b});
    triangles.push_back({1, b + 8, a + 8});
    triangles.push_back({a, a + 8, b + 8});
    triangles.push_back({a, b + 8, b});
  }
  return mesh(points, triangles);
}

/// Slopes, along x, of the contact planes at the origin under a bar whose edge lies along y there.
std::vector<double> slopes_under_bar(const std::array<double, 8>& height, double size) {
  const auto bar = shape::make_box({size * Vec3(0.4, 3.0, 0.4)}).value();
  const Quat on_edge = rotation_from_vector(Vec3(0, 0.25 * std::numbers::pi, 0));
  const PlacedBody below = at(fan(height, size), Vec3::Zero());
  const PlacedBody above = at(bar, Vec3(0, 0, size * 0.2 * std::sqrt(2.0)), on_edge);
  std::vector<double> out;
  for (const ContactPoint& c : find_contacts(below, above))
    if (c.point.norm() < 1e-5 * size) out.push_back(-c.normal_a_to_b.x() / c.normal_a_to_b.z());
  std::sort(out.begin(), out.end());
  return out;
}

TEST(Silhouette, an_edge_in_a_notch_is_borne_by_both_of_its_sides) {
  for (const double size : {1e-3, 1.0, 1e3}) {
    const auto slopes = slopes_under_bar({0.2, -0.1, -0.3, -0.1, 0.3, -0.05, -0.2, -0.2}, size);
    ASSERT_EQ(slopes.size(), 2U) << size;
    EXPECT_NEAR(slopes[0], -0.3, 1e-6);
    EXPECT_NEAR(slopes[1], 0.2, 1e-6);
  }
}

TEST(Silhouette, a_lower_edge_beside_a_higher_one_does_not_bear) {
  // seen along the bar the edge to (1, 1) hides the one to (1, 0)
  const auto slopes = slopes_under_bar({0.2, 0.5, -0.3, -0.1, 0.3, -0.05, -0.2, -0.2}, 1.0);
  ASSERT_EQ(slopes.size(), 2U);
  EXPECT_NEAR(slopes[0], -0.3, 1e-6);
  EXPECT_NEAR(slopes[1], 0.5, 1e-6);
}

}  // namespace
}  // namespace repose::check
