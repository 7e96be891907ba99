// What is remembered of pairs against looking at everything.
#include "src/methods/mechanism/coherence.h"

#include <gtest/gtest.h>

#include "repose/base/random.h"

#include "src/methods/mechanism/narrow.h"

namespace repose::mechanism {
namespace {

Part regular(int corners, double radius) {
  Part part;
  for (int k = 0; k < corners; ++k) {
    const double angle = 2.0 * M_PI * k / corners;
    part.points.emplace_back(radius * std::cos(angle), radius * std::sin(angle));
  }
  for (std::size_t k = 0; k < part.points.size(); ++k) {
    const Vec2 along = (part.points[(k + 1) % part.points.size()] - part.points[k]).normalized();
    part.normals.emplace_back(along.y(), -along.x());
  }
  part.inner.assign(part.points.size(), 0);
  part.seam.assign(part.points.size(), 0);
  return part;
}

TEST(Coherence, the_lowest_corner_is_the_lowest_of_all_from_wherever_the_search_begins) {
  Random random(5);
  for (int trial = 0; trial < 2000; ++trial) {
    const Part part = regular(3 + static_cast<int>(random.between(0.0, 40.0)), 1.0);
    PlacedPart placed;
    placed.place(part, {0.3, -0.2, random.between(0.0, 7.0)});
    // along a side now and then: two corners lie equally high and low
    const std::size_t side = static_cast<std::size_t>(trial) % placed.normals.size();
    const double angle = random.between(0.0, 7.0);
    const Vec2 along =
        trial % 3 == 0 ? placed.normals[side] : Vec2(std::cos(angle), std::sin(angle));
    double least = 1e9;
    for (const Vec2& p : placed.points) least = std::min(least, along.dot(p));
    const auto first = static_cast<std::size_t>(random.between(0.0, 60.0));
    EXPECT_NEAR(along.dot(placed.points[lowest_corner(placed.points, along, first)]), least, 1e-15);
  }
}

TEST(Coherence, pairs_are_called_apart_exactly_when_a_side_parts_them) {
  Random random(7);
  PairMemory memory;
  const Part a = regular(24, 0.5), b = regular(5, 0.7);
  PlacedPart pa, pb;
  int parted = 0;
  for (int trial = 0; trial < 5000; ++trial) {
    // a slow way round each other with a jump now and then
    const double at = trial % 97 == 0 ? random.between(0.0, 100.0) : 0.01 * trial;
    pa.place(a, {1.3 * std::cos(at), 1.1 * std::sin(at), 3.0 * at});
    pb.place(b, {0.0, 0.0, -at});
    const double reach = random.between(-0.1, 0.2), gap = gap_between(pa, pb).gap;
    if (std::fabs(gap - reach) < 1e-12) continue;
    EXPECT_EQ(memory.apart(3, 0, pa, 8, 1, pb, reach), gap > reach) << trial;
    parted += gap > reach ? 1 : 0;
  }
  EXPECT_GT(parted, 500);
  EXPECT_LT(parted, 4500);
}

}  // namespace
}  // namespace repose::mechanism
