#pragma once

#include <cstdint>
#include <vector>

#include "repose/math/vec.h"

namespace repose::shape {

/// Numbers points by their coordinates, in the order in which they come: equal ones have one
/// number. Minus zero counts as zero.
class PointTable {
 public:
  explicit PointTable(std::size_t expected = 0);

  int number_of(const Vec3& point);
  /// The different points, by number.
  const std::vector<Vec3>& points() const { return points_; }
  std::vector<Vec3> take_points() { return std::move(points_); }

 private:
  std::size_t slot_of(const Vec3& point) const;
  void grow();

  std::vector<Vec3> points_;
  std::vector<int> slots_;  // open addressing; -1: free
};

}  // namespace repose::shape
