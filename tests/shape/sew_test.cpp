// Bodies of many patches, of patches too narrow to sew, and of surfaces that fool a quadrature.
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "repose/base/work.h"
#include "repose/shape/make.h"
#include "repose/shape/patches.h"

#include "shape/mass/volume_bounds.h"

namespace repose::shape {
namespace {

constexpr double kPi = std::numbers::pi;

/// A unit cube of 6 n n flat bicubic patches.
BezierInput patched_cube(int n) {
  BezierInput in;
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2; ++side)
      for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b) {
          in.patches.emplace_back();
          for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j) {
              Vec3& p = in.patches.back()[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
              p[axis] = side;
              p[(axis + 1) % 3] = (a + i / 3.0) / n;
              p[(axis + 2) % 3] = (b + j / 3.0) / n;
            }
        }
  return in;
}

TEST(Sew, work_grows_with_the_number_of_patches_and_not_with_its_square) {
  const auto work_of = [](int n) {
    const std::uint64_t before = work_spent();
    const auto made = make_bezier(patched_cube(n));
    EXPECT_TRUE(made) << made.error().text();
    EXPECT_NEAR((*made)->volume.volume, 1.0, 1e-9);
    EXPECT_EQ(std::get<Solid>((*made)->geometry).parts[0].vertices.size(), 8u);
    return static_cast<double>(work_spent() - before) / (6.0 * n * n);
  };
  const double few = work_of(3), many = work_of(15);
  EXPECT_LT(many, 1.5 * few);
}

TEST(Sew, patches_narrower_than_the_seams_are_refused_at_once) {
  const RevolutionInput saucer{.profile = {{0, 0.0035},
                                           {0.027, 0.0035},
                                           {0.029, 0},
                                           {0.036, 0},
                                           {0.038, 0.004},
                                           {0.053, 0.0085},
                                           {0.07, 0.0165},
                                           {1e6, 0.0058}},
                               .corners = {1, 2, 3, 4, 6}};
  const std::uint64_t before = work_spent();
  const auto made = make_revolution(saucer);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().pointer, "/profile");
  EXPECT_NE(made.error().wrong.find("narrower than its seams"), std::string::npos);
  EXPECT_LT(work_spent() - before, 10000u);
}

FormulaInput torus(const std::string& ripple) {
  FormulaInput in;
  in.patches.push_back({"(2+cos(v))*cos(u)" + ripple, "(2+cos(v))*sin(u)", "sin(v)", 0.0, 2.0 * kPi,
                        0.0, 2.0 * kPi});
  return in;
}

TEST(Volume, surfaces_that_vary_too_finely_are_refused) {
  ASSERT_TRUE(make_formula(torus("")));
  EXPECT_NEAR((*make_formula(torus("")))->volume.volume, 4.0 * kPi * kPi, 1e-9);
  // ripples that a quadrature can follow
  ASSERT_TRUE(make_formula(torus("+0.01*sin(7*u)")));
  // ripples between its nodes: of any phase, and a lone bump
  for (const char* ripple :
       {"+0.01*sin(1e6*u)", "+0.01*sin(65536*u)", "+0.001*cos(1e7*v)", "+20*exp(-((u-2)*1e4)^2)"}) {
    const auto made = make_formula(torus(ripple));
    ASSERT_FALSE(made) << ripple;
    EXPECT_NE(made.error().wrong.find("too finely"), std::string::npos)
        << ripple << ": " << made.error().text();
    EXPECT_EQ(made.error().pointer, "/patches");
  }
}

TEST(Volume, formulas_over_no_proper_domain_are_refused) {
  const auto over = [](double u0, double u1) {
    FormulaInput in = torus("");
    in.patches[0].u0 = u0;
    in.patches[0].u1 = u1;
    const auto made = make_formula(in);
    EXPECT_FALSE(made) << u0 << " to " << u1;
    return made ? InputError() : made.error();
  };
  for (const auto& [u0, u1] : std::vector<std::pair<double, double>>{{0.0, 1e-300},
                                                                     {0.0, 0.0},
                                                                     {1.0, 0.0},
                                                                     {0.0, std::nan("")},
                                                                     {-HUGE_VAL, 0.0},
                                                                     {1.0, 1.0 + 1e-12},
                                                                     {1e8, 1e8 + 0.05},
                                                                     {0.0, 1e10}})
    EXPECT_EQ(over(u0, u1).pointer, "/patches/0/u1") << u0 << " to " << u1;
  // many times around: the surface covers itself
  EXPECT_FALSE(over(0.0, 2e6 * kPi).wrong.empty());
}

TEST(Volume, formulas_unbounded_between_the_samples_are_refused) {
  const auto with_z = [](const std::string& z) {
    return formula_patch({"u", "v", z, {}, {0.0, 1.0, 0.0, 1.0}});
  };
  EXPECT_TRUE(with_z("1/(1+u*u)"));
  EXPECT_FALSE(with_z("1/(u-0.123)"));
  EXPECT_FALSE(with_z("sqrt((u-0.123)^2)"));
  EXPECT_FALSE(with_z("log((u-0.123)^2+(v-0.456)^2)"));
  EXPECT_FALSE(with_z("tan(100*u)"));
}

TEST(Volume, bounds_hold_the_closed_form_and_close_in_on_it) {
  struct Case {
    ShapePtr shape;
    double volume;
  };
  const std::vector<Case> cases{
      {*make_torus({2.0, 1.0}), 4.0 * kPi * kPi},
      {*make_ellipsoid({Vec3(0.5, 1.0, 2.0)}), 4.0 / 3.0 * kPi},
      {*make_cone({1.0, 2.0, 0.0}), 2.0 / 3.0 * kPi},
      {*make_capsule({0.25, 1.0}), kPi * 0.0625 + 4.0 / 3.0 * kPi * 0.015625}};
  for (const Case& c : cases) {
    const Part& part = std::get<Solid>(c.shape->geometry).parts[0];
    double last = HUGE_VAL;
    for (const int cells : {10, 100, 1000, 10000}) {
      const VolumeBounds known = volume_bounds(part, Vec3(0.1, 0.2, 0.3), 0.0, cells);
      EXPECT_TRUE(known.volume.contains(c.volume)) << name_of(c.shape->kind) << " " << cells;
      EXPECT_LE(known.volume.width(), last);
      last = known.volume.width();
      ASSERT_TRUE(known.by_cells);
    }
    EXPECT_LT(last, 0.05 * c.volume) << name_of(c.shape->kind);
    EXPECT_NEAR(*volume_bounds(part, Vec3::Zero(), 0.0, 10000).by_cells, c.volume, 1e-6 * c.volume);
  }
}

TEST(Sew, a_gap_is_taken_up_to_a_hundredth_of_the_size_and_not_beyond) {
  // one side of the cube stands off by a share of its size, which is about 1.7
  for (const double off : {1e-8, 1e-4, 5e-3, 5e-2})
    for (const double given : {1e-6, 1e-3, 1e-2, 1.01e-2, 0.0}) {
      BezierInput in = patched_cube(1);
      for (auto& row : in.patches[0])
        for (Vec3& p : row) p[0] -= off;
      in.sew.gap_fraction = given;
      const bool usable = given > 0.0 && given <= 1e-2;
      EXPECT_EQ(static_cast<bool>(make_bezier(in)), usable && off < given) << off << ' ' << given;
    }
}

}  // namespace
}  // namespace repose::shape
