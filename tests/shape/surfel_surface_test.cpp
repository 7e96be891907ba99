#include "repose/shape/surfel_surface.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "repose/base/random.h"
#include "repose/shape/cover.h"

namespace repose::shape {
namespace {

constexpr double kRadius = 0.1, kSpacing = 0.012;

/// A ball's surfels on a golden section spiral, and phyxels on a lattice.
SurfelRest ball() {
  SurfelRest out;
  const auto count =
      static_cast<int>(4.0 * std::numbers::pi * kRadius * kRadius / (0.7 * kSpacing * kSpacing));
  const double turn = std::numbers::pi * (3.0 - std::sqrt(5.0));
  for (int k = 0; k < count; ++k) {
    const double z = 1.0 - (2.0 * k + 1.0) / count, across = std::sqrt(1.0 - z * z);
    const Vec3 n(across * std::cos(turn * k), across * std::sin(turn * k), z);
    out.normals.push_back(n);
    out.centers.emplace_back((kRadius - cover_depth() * kSpacing) * n);
    out.radii.push_back(kCoverBall * kSpacing);
  }
  const double pitch = 2.0 * kSpacing;
  for (int i = -5; i <= 5; ++i)
    for (int j = -5; j <= 5; ++j)
      for (int k = -5; k <= 5; ++k)
        if (const Vec3 p(pitch * i, pitch * j, pitch * k); p.norm() < kRadius - 0.3 * pitch)
          out.phyxels.push_back(p);
  return out;
}

/// A ray from the middle meets the triangle.
bool meets(const Vec3& way, const Vec3& a, const Vec3& b, const Vec3& c) {
  constexpr double kRounding = 1e-12;
  const auto side = [&](const Vec3& p, const Vec3& q) { return way.dot(p.cross(q)); };
  return side(a, b) >= -kRounding && side(b, c) >= -kRounding && side(c, a) >= -kRounding &&
         way.dot(a) > 0.0;
}

TEST(surfel_surface, of_a_ball_it_is_round_and_without_holes) {
  const SurfelSurface surface = surfel_surface_of(ball());
  for (std::size_t i = 0; i < surface.points.size(); ++i) {
    EXPECT_NEAR(surface.points[i].norm(), kRadius + 0.1 * kSpacing, 0.2 * kSpacing);
    EXPECT_GT(surface.normals[i].dot(surface.points[i].normalized()), 0.995);
  }
  Random random(3);
  for (int n = 0; n < 500; ++n) {
    const Vec3 way =
        Vec3(random.between(-1.0, 1.0), random.between(-1.0, 1.0), random.between(-1.0, 1.0));
    bool met = false;
    for (const auto& [a, b, c] : surface.triangles)
      met = met || meets(way, surface.points[static_cast<std::size_t>(a)],
                         surface.points[static_cast<std::size_t>(b)],
                         surface.points[static_cast<std::size_t>(c)]);
    EXPECT_TRUE(met) << way.transpose();
  }
}

TEST(surfel_surface, it_goes_with_linear_motions_and_tells_their_strain) {
  const SurfelRest rest = ball();
  const SurfelSurfaceMotion motion(rest);
  Mat3 f;
  f << 1.2, 0.1, 0.0, 0.0, 0.9, 0.2, 0.1, 0.0, 1.1;
  const Vec3 shift(0.3, -0.2, 0.1);
  std::vector<Vec3> now;
  for (const Vec3& p : rest.phyxels) now.emplace_back(f * p + shift);
  const auto places = motion.at(now);
  const auto strains = motion.strains(now);
  const double strain = (0.5 * (f.transpose() * f - Mat3::Identity())).norm();
  const Mat3 turn = f.inverse().transpose();
  const SurfelSurface& before = motion.at_rest();
  for (std::size_t i = 0; i < places.points.size(); ++i) {
    EXPECT_NEAR((places.points[i] - f * before.points[i] - shift).norm(), 0.0, 1e-5 * kRadius);
    EXPECT_GT(places.normals[i].dot((turn * before.normals[i]).normalized()), 1.0 - 1e-6);
    EXPECT_NEAR(strains[i], strain, 1e-4);
  }
}

}  // namespace
}  // namespace repose::shape
