#include "src/methods/mechanism/decompose.h"

#include <gtest/gtest.h>

#include "repose/base/random.h"

#include "src/methods/mechanism/plane.h"

namespace repose::mechanism {
namespace {

double area_of(const std::vector<Vec2>& points) {
  double sum = 0.0;
  for (std::size_t k = 0; k < points.size(); ++k)
    sum += 0.5 * cross(points[k], points[(k + 1) % points.size()]);
  return sum;
}

void expect_convex_cover(const shape::Polygon& polygon) {
  double whole = area_of(polygon.outer), covered = 0.0;
  std::size_t outline = polygon.outer.size(), kept = 0;
  for (const auto& hole : polygon.holes) {
    whole += area_of(hole);
    outline += hole.size();
  }
  for (const ConvexPiece& piece : convex_pieces(polygon)) {
    const std::size_t n = piece.points.size();
    ASSERT_GE(n, 3u);
    for (std::size_t k = 0; k < n; ++k) {
      EXPECT_GE(cross(piece.points[(k + 1) % n] - piece.points[k],
                      piece.points[(k + 2) % n] - piece.points[(k + 1) % n]),
                0.0);
      kept += piece.inner[k] == 0 ? 1 : 0;
    }
    covered += area_of(piece.points);
  }
  EXPECT_NEAR(covered, whole, 1e-12 * whole);
  EXPECT_EQ(kept, outline) << "every side of the outline belongs to one piece";
}

TEST(Decompose, a_convex_polygon_stays_whole) {
  const shape::Polygon square{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}, {}};
  const auto pieces = convex_pieces(square);
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_EQ(pieces[0].points.size(), 4u);
}

TEST(Decompose, an_l_becomes_two_pieces) {
  const shape::Polygon l{{{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}, {}};
  EXPECT_EQ(convex_pieces(l).size(), 2u);
  expect_convex_cover(l);
}

TEST(Decompose, holes_are_left_open) {
  shape::Polygon frame{{{0, 0}, {4, 0}, {4, 4}, {0, 4}}, {{{1, 1}, {1, 2}, {2, 2}, {2, 1}}}};
  frame.holes.push_back({{2.5, 2.5}, {2.5, 3.5}, {3.5, 3.5}, {3.5, 2.5}});
  expect_convex_cover(frame);
}

TEST(Decompose, random_stars_are_covered_by_convex_pieces) {
  Random random(7);
  for (int round = 0; round < 100; ++round) {
    shape::Polygon star;
    const int n = 5 + static_cast<int>(random.unit() * 30);
    for (int k = 0; k < n; ++k) {
      const double angle = 2.0 * M_PI * k / n, r = 0.2 + random.unit();
      star.outer.push_back({r * std::cos(angle), r * std::sin(angle)});
    }
    expect_convex_cover(star);
  }
}

}  // namespace
}  // namespace repose::mechanism
