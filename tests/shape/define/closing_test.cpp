// Where a patch meets itself, where edges span a plane, and where a meridian crosses itself: plain
// cases on either side of each.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "repose/base/random.h"
#include "repose/shape/make.h"
#include "repose/shape/patches.h"

#include "src/shape/define/seams.h"
#include "src/shape/matter/turned_part.h"

namespace repose::shape {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;

/// A tube about z: u around from 1, v along from -2; `more` is added to its radius.
PatchPtr tube(const std::string& more, bool along_u) {
  Formula f;
  f.domain = {1.0, 1.0 + kTurn, -2.0, 3.0};
  f.x = "(2 + " + more + ")*cos(u)";
  f.y = "(2 + " + more + ")*sin(u)";
  f.z = "v";
  if (!along_u) {
    for (std::string* s : {&f.x, &f.y, &f.z})
      for (char& c : *s) c = c == 'u' ? 'w' : c;
    for (std::string* s : {&f.x, &f.y, &f.z})
      for (char& c : *s) c = c == 'v' ? 'u' : c == 'w' ? 'v' : c;
    f.domain = {-2.0, 3.0, 1.0, 1.0 + kTurn};
  }
  // no function's name holds u, v or w
  return formula_patch(f).value();
}

TEST(Closing, a_patch_meets_itself_where_all_of_its_seam_does) {
  for (const bool along_u : {true, false}) {
    const auto meets = [&](const std::string& more) {
      const PatchPtr patch = tube(more, along_u);
      const bool other = along_u ? meets_itself_along_v(*patch) : meets_itself_along_u(*patch);
      EXPECT_FALSE(other) << more;
      return along_u ? meets_itself_along_u(*patch) : meets_itself_along_v(*patch);
    };
    EXPECT_TRUE(meets("0"));
    EXPECT_TRUE(meets("0.1*v"));
    EXPECT_TRUE(meets("0.1*cos(3*u)"));
    // open all along; only far from one end, from the other, from both; in its bend alone
    EXPECT_FALSE(meets("0.01*u"));
    EXPECT_FALSE(meets("0.001*(u - 1)*(v + 2)^3"));
    EXPECT_FALSE(meets("0.001*(u - 1)*(3 - v)^3"));
    EXPECT_FALSE(meets("0.001*(u - 1)*((v + 2)*(3 - v))^3"));
    EXPECT_FALSE(meets("0.001*(u - 1)^2*(u - 7.283185307179586)^2*(u - 1)"));
  }
}

TEST(Closing, edges_span_a_plane_down_to_an_angle_of_1e_9) {
  for (const double sine : {1e-3, 1e-6, 2e-9, 5e-10, 0.0}) {
    const auto made = plane_patch(Vec3(1, 2, 3), Vec3(2, 0, 0), Vec3(3, 3 * sine, 0));
    EXPECT_EQ(static_cast<bool>(made), sine > 1e-9) << sine;
  }
}

bool cross(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d) {
  const auto side = [](const Vec2& p, const Vec2& q, const Vec2& r) {
    return (q - p).x() * (r - p).y() - (q - p).y() * (r - p).x();
  };
  return side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0;
}

TEST(Closing, a_turned_part_crosses_itself_where_two_lines_of_its_meridian_do) {
  Random random(91);
  int simple = 0, crossing = 0;
  for (int k = 0; k < 400; ++k) {
    const int corners = 3 + k % 4;
    std::vector<Vec2> p;
    for (int i = 0; i < corners; ++i)
      p.push_back({random.between(0.2, 2.0), random.between(-1.0, 1.0)});
    Part part;
    bool crosses = false;
    for (std::size_t i = 0; i < p.size(); ++i) {
      const Vec2 &a = p[i], &b = p[(i + 1) % p.size()];
      part.faces.push_back({cone_side(a.x(), b.x(), a.y(), b.y()).value(), 1.0});
      for (std::size_t j = i + 1; j < p.size(); ++j)
        crosses = crosses || cross(a, b, p[j], p[(j + 1) % p.size()]);
    }
    EXPECT_EQ(turned_without_crossing(part, 1e-3).has_value(), !crosses) << k;
    (crosses ? crossing : simple) += 1;
  }
  EXPECT_GT(std::min(simple, crossing), 50);
}

}  // namespace
}  // namespace repose::shape
