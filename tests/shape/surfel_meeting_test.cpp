#include "repose/shape/surfel_meeting.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace repose::shape {
namespace {

constexpr double kSpacing = 0.01;  // m

struct Surface {
  std::vector<Vec3> points, normals;
};

/// A wavy sheet over the square, about z = height, that looks up or down.
Surface sheet(double height, double up, double wave, double shift) {
  Surface out;
  const double step = 0.3 * kSpacing, length = 6.0 * kSpacing;
  for (double x = -0.05 + shift; x <= 0.05; x += step)
    for (double y = -0.05; y <= 0.05; y += step) {
      const double turn = 2.0 * std::numbers::pi * x / length;
      const double slope = wave * 2.0 * std::numbers::pi / length * std::cos(turn);
      out.points.emplace_back(x, y, height + wave * std::sin(turn));
      out.normals.push_back(up * Vec3(-slope, 0.0, 1.0).normalized());
    }
  return out;
}

bool in_the_middle(const Vec3& p) {
  return std::fabs(p.x()) < 0.025 && std::fabs(p.y()) < 0.025;
}

TEST(surfel_meeting, two_surfaces_that_meet_lie_on_one_surface_without_slit_or_overlap) {
  for (const double gap : {0.3, 0.1, -0.2}) {
    Surface lower = sheet(0.0, 1.0, 0.0, 0.0);
    Surface upper = sheet(gap * kSpacing, -1.0, 0.0, 0.1 * kSpacing);
    std::vector<ShownSurface> both{{lower.points, lower.normals, 1.0, kSpacing},
                                   {upper.points, upper.normals, 3.0, kSpacing}};
    draw_together(both, {});
    // the soft one goes three quarters of the way
    for (const Surface* surface : {&lower, &upper})
      for (const Vec3& p : surface->points) {
        if (!in_the_middle(p)) continue;
        EXPECT_NEAR(p.z(), 0.75 * gap * kSpacing, 1e-3 * kSpacing);
      }
  }
}

TEST(surfel_meeting, wavy_surfaces_meet_within_a_thousandth_of_the_spacing) {
  const double wave = 0.05 * kSpacing;
  Surface lower = sheet(0.0, 1.0, wave, 0.0);
  Surface upper = sheet(0.2 * kSpacing, -1.0, wave, 0.0);
  std::vector<ShownSurface> both{{lower.points, lower.normals, 1.0, kSpacing},
                                 {upper.points, upper.normals, 1.0, kSpacing}};
  draw_together(both, {});
  ASSERT_EQ(lower.points.size(), upper.points.size());
  for (std::size_t i = 0; i < lower.points.size(); ++i) {
    if (!in_the_middle(lower.points[i])) continue;
    EXPECT_LT((lower.points[i] - upper.points[i]).norm(), 0.02 * kSpacing);
    EXPECT_NEAR(lower.points[i].z(), upper.points[i].z(), 1e-3 * kSpacing);
    EXPECT_LT(lower.normals[i].dot(upper.normals[i]), -0.999);
  }
}

TEST(surfel_meeting, what_is_apart_or_looks_aside_stays_where_it_is) {
  for (const auto& [gap, up] : {std::pair{0.8, -1.0}, std::pair{0.2, 1.0}}) {
    Surface lower = sheet(0.0, 1.0, 0.0, 0.0), upper = sheet(gap * kSpacing, up, 0.0, 0.0);
    const Surface before = lower;
    std::vector<ShownSurface> both{{lower.points, lower.normals, 1.0, kSpacing},
                                   {upper.points, upper.normals, 1.0, kSpacing}};
    draw_together(both, {});
    EXPECT_EQ(lower.points, before.points);
    EXPECT_EQ(lower.normals, before.normals);
  }
}

TEST(surfel_meeting, a_surface_that_meets_a_solid_lies_on_it) {
  Surface lying = sheet(0.2 * kSpacing, -1.0, 0.0, 0.0);
  std::vector<ShownSurface> one{{lying.points, lying.normals, 1.0, kSpacing}};
  draw_together(one, {{Vec3::Zero(), Vec3::UnitZ(), 0.0}});
  for (const Vec3& p : lying.points) EXPECT_NEAR(p.z(), 0.0, 1e-15);
  Surface pressed = sheet(0.2 * kSpacing, -1.0, 0.0, 0.0);
  std::vector<ShownSurface> other{{pressed.points, pressed.normals, 1.0, kSpacing}};
  const Vec3 center(0.0, 0.0, -0.3);
  draw_together(other, {{center, Vec3::UnitZ(), 0.3}});
  int near = 0;
  for (const Vec3& p : pressed.points)
    if (p.head<2>().norm() < 0.02) {
      ++near;
      EXPECT_NEAR((p - center).norm(), 0.3, 1e-12);
    }
  EXPECT_GT(near, 50);
}

}  // namespace
}  // namespace repose::shape
