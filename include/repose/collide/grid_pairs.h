#pragma once

#include <cstdint>
#include <vector>

#include "repose/collide/box2.h"

namespace repose::collide {

/// Overlapping boxes by uniform grids, one for each power of two of box size, rebuilt at every
/// update. It remembers nothing, so it does not care how far boxes move; boxes of similar size in
/// an area of any extent cost constant time each.
class GridPairs {
 public:
  void update(const std::vector<Box2>& boxes);
  /// Every overlapping pair once, in an order that depends on the boxes only.
  const std::vector<IndexPair>& pairs() const { return pairs_; }

 private:
  struct Entry {
    std::int32_t cell_x = 0, cell_y = 0;
    std::int32_t box = 0;
  };
  /// Boxes whose larger side lies in (cell/2, cell], each in the cell of its low corner.
  struct Level {
    double cell = 1.0;  // m
    std::uint32_t mask = 0;
    std::uint32_t stride = 1;
    std::vector<std::int32_t> members;
    std::vector<std::uint32_t> first;  // of each bucket in `entries`, and one past the end
    std::vector<Entry> entries;
  };

  void fill(Level& level, const std::vector<Box2>& boxes) const;
  void pairs_within(const Level& level, const std::vector<Box2>& boxes);
  void pairs_across(const Level& fine, const Level& coarse, const std::vector<Box2>& boxes);

  std::vector<Level> levels_;
  std::vector<IndexPair> pairs_;
};

}  // namespace repose::collide
