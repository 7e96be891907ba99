#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "repose/base/random.h"
#include "repose/collide/grid_pairs.h"
#include "repose/collide/sweep_pairs.h"

namespace repose::collide {
namespace {

std::vector<IndexPair> plain_pairs(const std::vector<Box2>& boxes) {
  std::vector<IndexPair> out;
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for (std::size_t j = i + 1; j < boxes.size(); ++j)
      if (boxes[i].overlaps(boxes[j])) out.emplace_back(static_cast<int>(i), static_cast<int>(j));
  return out;
}

std::vector<IndexPair> sorted(std::vector<IndexPair> pairs) {
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

Box2 random_box(Random& random, double extent, double smallest, double largest) {
  const auto side = [&] { return std::exp(random.between(std::log(smallest), std::log(largest))); };
  const Vec2 low(random.between(-extent, extent), random.between(-extent, extent));
  return {low, low + Vec2(side(), side())};
}

void expect_same_pairs_while_moving(double speed, double smallest, double largest,
                                    std::uint64_t seed) {
  Random random(seed);
  std::vector<Box2> boxes;
  for (int i = 0; i < 200; ++i) boxes.push_back(random_box(random, 5.0, smallest, largest));
  SweepPairs sweep;
  GridPairs grid;
  for (int step = 0; step < 50; ++step) {
    sweep.update(boxes);
    grid.update(boxes);
    const auto plain = plain_pairs(boxes);
    ASSERT_EQ(sorted(sweep.pairs()), plain) << "sweep, step " << step;
    ASSERT_EQ(sorted(grid.pairs()), plain) << "grid, step " << step;
    for (Box2& box : boxes) {
      const Vec2 move(random.between(-speed, speed), random.between(-speed, speed));
      box.low += move;
      box.high += move;
    }
  }
}

TEST(Pairs, sweep_and_grid_agree_with_all_pairs_for_slow_boxes) {
  expect_same_pairs_while_moving(0.05, 0.1, 0.4, 1);
}

TEST(Pairs, sweep_and_grid_agree_with_all_pairs_for_wild_boxes) {
  expect_same_pairs_while_moving(5.0, 0.1, 0.4, 2);
}

TEST(Pairs, sweep_and_grid_agree_for_sizes_over_four_decades) {
  expect_same_pairs_while_moving(0.5, 1e-3, 10.0, 3);
}

TEST(Pairs, touching_boxes_count_as_overlapping_on_a_lattice) {
  std::vector<Box2> boxes;
  for (int x = 0; x < 8; ++x)
    for (int y = 0; y < 8; ++y) boxes.push_back({Vec2(x, y), Vec2(x + 1, y + 1)});
  SweepPairs sweep;
  GridPairs grid;
  // move away and back, so that equal ends change places in both directions
  for (const double shift : {0.0, 0.5, 0.0}) {
    for (std::size_t i = 0; i < boxes.size(); i += 2) {
      boxes[i].low.x() = std::floor(boxes[i].low.x()) + shift;
      boxes[i].high.x() = boxes[i].low.x() + 1.0;
    }
    sweep.update(boxes);
    grid.update(boxes);
    EXPECT_EQ(sorted(sweep.pairs()), plain_pairs(boxes));
    EXPECT_EQ(sorted(grid.pairs()), plain_pairs(boxes));
  }
}

TEST(Pairs, one_stray_at_the_end_of_the_world_costs_no_pair) {
  Random random(4);
  std::vector<Box2> boxes;
  for (int i = 0; i < 100; ++i) boxes.push_back(random_box(random, 2.0, 0.1, 0.4));
  boxes.push_back({Vec2(1e12, -1e12), Vec2(1e12 + 1.0, -1e12 + 1.0)});
  GridPairs grid;
  grid.update(boxes);
  EXPECT_EQ(sorted(grid.pairs()), plain_pairs(boxes));
}

TEST(Pairs, a_changed_number_of_boxes_starts_afresh) {
  SweepPairs sweep;
  sweep.update({{Vec2(0, 0), Vec2(1, 1)}, {Vec2(0.5, 0.5), Vec2(2, 2)}});
  EXPECT_EQ(sweep.pairs().size(), 1U);
  sweep.update({{Vec2(0, 0), Vec2(1, 1)}});
  EXPECT_TRUE(sweep.pairs().empty());
}

}  // namespace
}  // namespace repose::collide
