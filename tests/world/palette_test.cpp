#include "repose/world/palette.h"

#include <set>

#include <gtest/gtest.h>

namespace repose {
namespace {

TEST(Palette, bodies_that_move_and_that_nobody_coloured_differ_from_their_neighbours) {
  const Material plain;
  std::set<std::array<double, 3>> seen;
  for (int body = 0; body < 8; ++body) {
    EXPECT_EQ(drawn_color(plain, true, body), plain.color);
    seen.insert(drawn_color(plain, false, body));
  }
  EXPECT_EQ(seen.size(), 8U);
  EXPECT_EQ(drawn_color(plain, false, 8), drawn_color(plain, false, 0));
}

TEST(Palette, a_material_keeps_its_own_colour) {
  Material red;
  red.color = {0.5, 0.1, 0.1};
  EXPECT_EQ(drawn_color(red, false, 3), red.color);
}

}  // namespace
}  // namespace repose
