#include <gtest/gtest.h>

#include "repose/base/stage_clock.h"
#include "repose/check/gap.h"

#include "check/shapes.h"

namespace repose::check {
namespace {

/// Asks for a gap whose true value is known, and says what it cost.
GapBracket expect_gap(const char* what, const PlacedBody& a, const PlacedBody& b, double truth,
                      double width, double tolerance = 1e-12) {
  const double start = cpu_seconds();
  const GapBracket g = gap(a, b, {.width = width});
  const double ms = 1e3 * (cpu_seconds() - start);
  std::printf("%-28s w=%.0e truth %+.3e [%+.3e, %+.3e] %-9s %7ld tests %8.2f ms\n", what, width,
              truth, g.lower, g.upper, to_text(g.status), g.tests, ms);
  EXPECT_LE(g.lower, truth + tolerance) << what;
  EXPECT_GE(g.upper, truth - tolerance) << what;
  return g;
}

TEST(SurfaceGap, balls_made_of_patches_agree_with_the_closed_form) {
  const auto s = ellipsoid(Vec3::Ones());
  for (const double truth : {1.0, 1e-3, 1e-7, 0.0, -1e-7, -1e-3, -0.3})
    for (const double width : {1e-3, 1e-6, 1e-9}) {
      const Vec3 d = Vec3(1, 2, 3).normalized();
      expect_gap("sphere sphere", at(s, Vec3::Zero()), at(s, (2.0 + truth) * d), truth, width);
    }
}

TEST(SurfaceGap, closed_forms_of_placement) {
  const double pi = std::numbers::pi;
  for (const double width : {1e-3, 1e-6, 1e-9}) {
    expect_gap("ellipsoid on ground", at(ground(), Vec3::Zero()),
               at(ellipsoid(Vec3(3, 2, 1)), Vec3(0, 0, 2.1602468994693),
                  rotation_between(Vec3(1, 1, 1), Vec3::UnitZ())),
               0.0, width, 1e-12);
    expect_gap("sphere patches on box", at(box_mesh(Vec3(2, 2, 2)), Vec3(0, 0, -1)),
               at(ellipsoid(Vec3::Ones()), Vec3(0.1, 0.2, 1.0)), 0.0, width);
    expect_gap("ball on torus", at(torus(1, 0.25), Vec3::Zero()), at(ball(0.5), Vec3(1, 0, 0.75)),
               0.0, width);
    expect_gap("cone on cylinder", at(cylinder(1, 1), Vec3(0, 0, -0.5)),
               at(cone(pi / 6, 1.0), Vec3(0.1, 0, 0), rotation_from_vector(Vec3(pi, 0, 0))), 0.0,
               width, 1e-12);
    expect_gap("cylinder on cylinder, area", at(cylinder(1, 1), Vec3(0, 0, -0.5)),
               at(cylinder(0.5, 1), Vec3(0.1, 0, 0.5)), 0.0, width);
    expect_gap("cylinder overhanging", at(cylinder(1, 1), Vec3(0, 0, -0.5)),
               at(cylinder(0.5, 1), Vec3(0.9, 0, 0.5)), 0.0, width);
  }
}

TEST(SurfaceGap, contact_curves) {
  const double pi = std::numbers::pi;
  for (const double width : {1e-3, 1e-5}) {
    expect_gap("torus over cone", at(cone(pi / 6, 3.0), Vec3::Zero()),
               at(torus(1, 0.25), Vec3(0, 0, (0.25 - std::cos(pi / 6)) / 0.5)), 0.0, width, 1e-12);
    expect_gap("coaxial tori", at(torus(2, 0.5), Vec3::Zero()),
               at(torus(1.2, 0.3), Vec3(0, 0, 1.5)), 0.9, width);
    expect_gap("linked tori", at(torus(1, 0.25), Vec3::Zero()),
               at(torus(1, 0.25), Vec3(1, 0, 0), rotation_from_vector(Vec3(pi / 2, 0, 0))), 0.5,
               width);
  }
}

TEST(SurfaceGap, a_search_that_ends_once_apart_still_bounds_the_gap) {
  for (const auto& wall : {box_mesh(Vec3(4, 4, 1)), cylinder(2, 1), torus(2, 0.5)}) {
    for (const auto& body :
         {ball(0.3), ellipsoid(Vec3(0.3, 0.2, 0.3)), box_mesh(Vec3(.3, .3, .3))}) {
      const GapBracket g =
          gap(at(wall, Vec3::Zero()), at(body, Vec3(1.9, 0.1, 1.4)), {.enough = 1e-3});
      EXPECT_EQ(g.status, GapStatus::apart);
      EXPECT_TRUE(std::isfinite(g.lower));
      EXPECT_GE(g.lower, 1e-3 * 0.5);
      EXPECT_LE(g.lower, 1.4);
    }
  }
}

TEST(SurfaceGap, meshes) {
  for (const double width : {1e-6, 1e-9}) {
    expect_gap(
        "box on box", at(box_mesh(Vec3(1, 1, 1)), Vec3::Zero()),
        at(box_mesh(Vec3(1, 1, 1)), Vec3(0.3, 0.2, 1.0), rotation_from_vector(Vec3(0, 0, 0.3))),
        0.0, width);
    expect_gap("box in box, overlap", at(box_mesh(Vec3(1, 1, 1)), Vec3::Zero()),
               at(box_mesh(Vec3(1, 1, 1)), Vec3(0.3, 0.2, 0.999)), -1e-3, width);
    expect_gap("box nested", at(box_mesh(Vec3(1, 1, 1)), Vec3::Zero()),
               at(box_mesh(Vec3(.1, .1, .1)), Vec3(0.3, 0.2, 0.1)), -0.25, width, 1.0);
  }
  const auto big = round_mesh(316, 160, 1.0, 0.05);
  const double start = cpu_seconds();
  expect_gap("100 000 triangles each", at(big, Vec3::Zero()), at(big, Vec3(2.05, 0, 0.1)), 0.0,
             1e-9, 1.0);
  std::printf("%g s with the trees\n", cpu_seconds() - start);
}

}  // namespace
}  // namespace repose::check
