#pragma once

#include <cstdint>
#include <vector>

#include "repose/collide/box2.h"

namespace repose::collide {

/// Overlapping boxes by coherent sort and sweep (Baraff 1995, "The two-dimensional case"): the ends
/// of all boxes are kept sorted along x and y by insertion sort; whenever two ends change places,
/// their boxes are tested and a table of overlaps is brought up to date. Work grows with the number
/// of boxes plus the number of exchanges, so it wants boxes that move little between updates.
class SweepPairs {
 public:
  /// The same boxes as before, moved; or any other number of boxes, for which it starts afresh.
  void update(const std::vector<Box2>& boxes);
  /// Every overlapping pair once, in an order that depends on the history of updates only.
  const std::vector<IndexPair>& pairs() const { return pairs_; }
  /// Exchanges of the last update, both axes.
  long exchanges() const { return exchanges_; }

 private:
  struct End {
    double at = 0.0;
    std::int32_t box = 0;
    bool is_high = false;
  };

  void start(const std::vector<Box2>& boxes);
  void sort_axis(std::vector<End>& ends, int axis, const std::vector<Box2>& boxes);
  void set_overlap(int a, int b, bool overlap);
  std::size_t slot_of(std::uint64_t key) const;
  void grow_table();

  std::vector<End> ends_[2];
  std::vector<IndexPair> pairs_;
  // open-addressing table from pair key to place in pairs_; 0 is an empty slot
  std::vector<std::uint64_t> keys_;
  std::vector<std::int32_t> places_;
  long exchanges_ = 0;
};

}  // namespace repose::collide
