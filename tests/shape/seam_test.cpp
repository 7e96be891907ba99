// A body sewn from patches is closed only where bounds along every seam show it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "repose/shape/make.h"

namespace repose::shape {
namespace {

/// A cube of formulas whose top and, where `all`, sides follow z = 1 + height sin(waves pi u).
FormulaInput wavy_cube(double height, int waves, bool all, double scale = 1.0) {
  const std::string wave = fmt::format("{}*sin({}*pi*u)", height, waves);
  FormulaInput in;
  in.parameters = {{"s", scale}};
  const auto add = [&](const std::string& x, const std::string& y, const std::string& z) {
    in.patches.push_back({"s*(" + x + ")", "s*(" + y + ")", "s*(" + z + ")", 0, 1, 0, 1});
  };
  add("u", "v", "1+" + wave);
  add("v", "u", "0");
  add("u", "0", all ? "v*(1+" + wave + ")" : "v");
  add("1-u", "1", all ? fmt::format("v*(1+{}*sin({}*pi*(1-u)))", height, waves) : "v");
  add("0", "v", "u");
  add("1", "u", "v");
  return in;
}

TEST(Seams, open_between_the_places_that_are_looked_at_are_found) {
  for (const double scale : {1e-3, 1.0, 1e3})
    for (const int waves : {2, 4, 8, 16, 32, 96})
      for (const double height : {0.08, 1e-3, 1e-5}) {
        const auto open = make_formula(wavy_cube(height, waves, false, scale));
        ASSERT_FALSE(open) << waves << ' ' << height << ' ' << scale;
        EXPECT_NE(open.error().wrong.find("open"), std::string::npos) << open.error().wrong;
      }
}

TEST(Seams, that_meet_all_along_are_sewn) {
  for (const double scale : {1e-3, 1.0, 1e3}) {
    EXPECT_TRUE(make_formula(wavy_cube(0.0, 1, false, scale)));
    // slits within the sewing gap
    EXPECT_TRUE(make_formula(wavy_cube(1e-7, 8, false, scale)));
    for (const int waves : {2, 8, 24}) {
      const auto cube = make_formula(wavy_cube(0.05, waves, true, scale));
      ASSERT_TRUE(cube) << cube.error().wrong;
      const Solid& solid = std::get<Solid>((*cube)->geometry);
      ASSERT_EQ(solid.parts.size(), 1u);
      EXPECT_LT(solid.parts[0].seam_gap, 4e-6 * scale);
      EXPECT_NEAR((*cube)->volume.volume, scale * scale * scale, 1e-3 * scale * scale * scale);
    }
  }
}

TEST(Seams, a_side_that_only_samples_take_for_a_point_is_open) {
  // a dome over a disc whose tip runs around a little loop between the samples
  FormulaInput in;
  in.patches.push_back(
      {"cos(u)*v+0.1*(1-v)*sin(8*u)", "sin(u)*v", "1-v*v", 0, 6.283185307179586, 0, 1});
  in.patches.push_back({"cos(u)*(1-v)", "sin(u)*(1-v)", "0", 0, 6.283185307179586, 0, 1});
  EXPECT_FALSE(make_formula(in));
  in.patches[0].x = "cos(u)*v";
  const auto dome = make_formula(in);
  ASSERT_TRUE(dome) << dome.error().wrong;
  EXPECT_NEAR((*dome)->volume.volume, 0.5 * 3.14159265, 1e-6);
}

}  // namespace
}  // namespace repose::shape
