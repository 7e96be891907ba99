#include <numbers>

#include "repose/shape/patches.h"

#include "shape/patch_checks.h"

namespace repose::shape {
namespace {

constexpr double kPi = std::numbers::pi;

Formula torus(double a) {
  return {"(R + r*cos(v))*cos(u)",
          "(R + r*cos(v))*sin(u)",
          "r*sin(v)",
          {{"R", a}, {"r", 0.3 * a}},
          {-kPi, kPi, -kPi, kPi}};
}

TEST(Formula, a_torus_by_formula_is_the_torus) {
  for (const double a : {1e-3, 1.0, 1e3}) {
    const auto formula = *formula_patch(torus(a)), closed_form = *torus_patch(a, 0.3 * a);
    const PatchJet p = formula->jet(0.4, -2.0), q = closed_form->jet(0.4, -2.0);
    EXPECT_LE((p.s - q.s).norm() + (p.suv - q.suv).norm() + (p.svv - q.svv).norm(), 1e-14 * a);
    EXPECT_TRUE(formula->closed_u());
    EXPECT_TRUE(formula->closed_v());
    expect_sound_patch(*formula, a, "torus by formula");
  }
}

TEST(Formula, a_sphere_with_poles_has_its_normals_there_too) {
  for (const double a : {1e-3, 1.0, 1e3}) {
    const auto sphere = *formula_patch({"a*cos(v)*cos(u)",
                                        "a*cos(v)*sin(u)",
                                        "a*sin(v)",
                                        {{"a", a}},
                                        {-kPi, kPi, -kPi / 2, kPi / 2}});
    EXPECT_TRUE(sphere->closed_u());
    EXPECT_FALSE(sphere->closed_v());
    expect_sound_patch(*sphere, a, "sphere by formula");
    for (const double u : {-2.0, 0.0, 1.0}) {
      EXPECT_NEAR((sphere->normal(u, kPi / 2) - Vec3::UnitZ()).norm(), 0.0, 1e-9);
      EXPECT_NEAR((sphere->normal(u, -kPi / 2) + Vec3::UnitZ()).norm(), 0.0, 1e-9);
    }
  }
}

TEST(Formula, any_smooth_formula_has_exact_derivatives) {
  const auto patch = *formula_patch({"u + 0.1*exp(-v^2)*sinh(u)",
                                     "v + sqrt(2+u)*tanh(v)",
                                     "log(3+u*v) + (2+u)^v + atan2(u, 2+v)",
                                     {},
                                     {-1, 1, -1, 1}});
  expect_sound_patch(*patch, 1.0, "formula");
  EXPECT_FALSE(patch->closed_u());
}

TEST(Formula, errors_name_formula_and_column) {
  Formula bad = torus(1.0);
  bad.y = "(R + r*cos(v)*sin(u)";
  const auto open = formula_patch(bad);
  ASSERT_FALSE(open);
  EXPECT_EQ(open.error().pointer, "/y");
  EXPECT_EQ(open.error().column, 21);
  bad = torus(1.0);
  bad.z = "rho*sin(v)";
  EXPECT_EQ(formula_patch(bad).error().pointer, "/z");
  EXPECT_EQ(formula_patch(bad).error().column, 1);
}

TEST(Formula, formulas_that_are_not_smooth_over_the_domain_are_refused) {
  EXPECT_FALSE(formula_patch({"u", "v", "sqrt(u)", {}, {0, 1, 0, 1}}));
  EXPECT_FALSE(formula_patch({"u", "v", "log(u)", {}, {-1, 1, 0, 1}}));
  EXPECT_FALSE(formula_patch({"u", "v", "1e300*u", {}, {0, 1, 0, 1}}));
  // the angle jumps between the points of any grid, and what is made of it has a kink there
  for (const char* z : {"0.01*atan2(sin(u), cos(u))", "cos(0.5*atan2(sin(u), cos(u)))",
                        "atan2(v, u - 3.1)^2", "tanh(1/(u - 3.1))", "(u - 3.1)^2.5"})
    EXPECT_FALSE(formula_patch({"u", "v", z, {}, {0, 2 * kPi, -1, 1}})) << z;
  // a smooth power may reach zero, within or at the border
  for (const char* z : {"(u - 1)^2.5", "(7 - u)^3.7", "atan2(v, u)"})
    EXPECT_TRUE(formula_patch({"u", "v", z, {}, {1, 7, -1, 1}})) << z;
  EXPECT_EQ(formula_patch({"u", "v", "0", {}, {1, 0, 0, 1}}).error().pointer, "/u1");
  EXPECT_EQ(formula_patch({"u", "v", "0", {}, {0, 1, 0, std::nan("")}}).error().pointer, "/v1");
}

TEST(Formula, a_narrow_range_is_taken_and_one_lost_in_rounding_is_not) {
  const auto strip = [](double from, double width) {
    return formula_patch({"u * 1e3", "v", "0", {}, {from, from + width, 0.0, 1.0}});
  };
  for (const double width : {1e-6, 1e-8}) {
    const auto patch = strip(0.0, width);
    ASSERT_TRUE(patch) << width;
    const double across = ((*patch)->point(width, 0.5) - (*patch)->point(0.0, 0.5)).norm();
    EXPECT_NEAR(across, width * 1e3, 1e-9 * width * 1e3);
  }
  EXPECT_TRUE(strip(1e3, 1e-5));
  EXPECT_FALSE(strip(0.0, 1e-10));
  EXPECT_FALSE(strip(1e3, 1e-7));
}

}  // namespace
}  // namespace repose::shape
