#include "repose/collide/grid_pairs.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

namespace repose::collide {

namespace {

/// Cells beyond this many from the origin share a bucket column; far strays cost time, never pairs.
constexpr double kFarthestCell = 1 << 30;

std::int32_t cell_of(double x, double cell) {
  return static_cast<std::int32_t>(std::clamp(std::floor(x / cell), -kFarthestCell, kFarthestCell));
}

double larger_side(const Box2& box) {
  return std::max(box.high.x() - box.low.x(), box.high.y() - box.low.y());
}

template <class Level>
std::uint32_t bucket_of(const Level& level, std::int32_t x, std::int32_t y) {
  return (static_cast<std::uint32_t>(x) + static_cast<std::uint32_t>(y) * level.stride) &
         level.mask;
}

/// Calls visit(box) for every box of the cell.
template <class Level, class Visit>
void each_in_cell(const Level& level, std::int32_t x, std::int32_t y, Visit&& visit) {
  const std::uint32_t bucket = bucket_of(level, x, y);
  for (std::uint32_t i = level.first[bucket]; i < level.first[bucket + 1]; ++i)
    if (level.entries[i].cell_x == x && level.entries[i].cell_y == y) visit(level.entries[i].box);
}

IndexPair ordered(int a, int b) {
  return {std::min(a, b), std::max(a, b)};
}

}  // namespace

void GridPairs::update(const std::vector<Box2>& boxes) {
  pairs_.clear();
  std::map<int, std::vector<std::int32_t>> by_size;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    int power = 0;
    std::frexp(larger_side(boxes[i]), &power);  // side <= 2^power
    by_size[power].push_back(static_cast<std::int32_t>(i));
  }
  levels_.resize(by_size.size());
  std::size_t at = 0;
  for (auto& [power, members] : by_size) {
    Level& level = levels_[at++];
    level.cell = std::ldexp(1.0, power);
    level.members = std::move(members);
    fill(level, boxes);
  }
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    pairs_within(levels_[i], boxes);
    for (std::size_t j = i + 1; j < levels_.size(); ++j)
      pairs_across(levels_[i], levels_[j], boxes);
  }
}

/// Counting sort of the members by bucket.
void GridPairs::fill(Level& level, const std::vector<Box2>& boxes) const {
  const auto count = static_cast<std::uint32_t>(level.members.size());
  const std::uint32_t buckets = std::bit_ceil(std::max(4U, 2 * count));
  level.mask = buckets - 1;
  // odd, near the square root: neighbouring cells of a row lie side by side, rows seldom meet
  level.stride = static_cast<std::uint32_t>(std::sqrt(static_cast<double>(buckets))) | 1U;
  level.first.assign(buckets + 1, 0);
  level.entries.resize(count);
  std::vector<Entry> found(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const Box2& box = boxes[static_cast<std::size_t>(level.members[i])];
    found[i] = {cell_of(box.low.x(), level.cell), cell_of(box.low.y(), level.cell),
                level.members[i]};
    ++level.first[bucket_of(level, found[i].cell_x, found[i].cell_y) + 1];
  }
  for (std::uint32_t b = 0; b < buckets; ++b) level.first[b + 1] += level.first[b];
  std::vector<std::uint32_t> next(level.first.begin(), level.first.end() - 1);
  for (const Entry& entry : found)
    level.entries[next[bucket_of(level, entry.cell_x, entry.cell_y)]++] = entry;
}

/// Two boxes no wider than a cell overlap only if their low corners lie in the same or in
/// neighbouring cells; half of the neighbours suffice to see each pair once.
void GridPairs::pairs_within(const Level& level, const std::vector<Box2>& boxes) {
  constexpr std::int32_t kHalfNeighbours[4][2] = {{1, 0}, {-1, 1}, {0, 1}, {1, 1}};
  for (const Entry& entry : level.entries) {
    const Box2& box = boxes[static_cast<std::size_t>(entry.box)];
    const auto test = [&](int other) {
      if (box.overlaps(boxes[static_cast<std::size_t>(other)]))
        pairs_.push_back(ordered(entry.box, other));
    };
    each_in_cell(level, entry.cell_x, entry.cell_y, [&](int other) {
      if (other > entry.box) test(other);
    });
    for (const auto& step : kHalfNeighbours)
      each_in_cell(level, entry.cell_x + step[0], entry.cell_y + step[1], test);
  }
}

/// A fine box against the coarse cells whose boxes can reach it.
void GridPairs::pairs_across(const Level& fine, const Level& coarse,
                             const std::vector<Box2>& boxes) {
  for (const Entry& entry : fine.entries) {
    const Box2& box = boxes[static_cast<std::size_t>(entry.box)];
    const std::int32_t x0 = cell_of(box.low.x(), coarse.cell) - 1;
    const std::int32_t x1 = cell_of(box.high.x(), coarse.cell);
    const std::int32_t y0 = cell_of(box.low.y(), coarse.cell) - 1;
    const std::int32_t y1 = cell_of(box.high.y(), coarse.cell);
    for (std::int32_t y = y0; y <= y1; ++y)
      for (std::int32_t x = x0; x <= x1; ++x)
        each_in_cell(coarse, x, y, [&](int other) {
          if (box.overlaps(boxes[static_cast<std::size_t>(other)]))
            pairs_.push_back(ordered(entry.box, other));
        });
  }
}

}  // namespace repose::collide
