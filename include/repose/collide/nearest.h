#pragma once

#include <array>
#include <vector>

#include "repose/math/vec.h"

namespace repose::collide {

/// Points on a grid, to find the nearest of them in a time that does not depend on their number.
class NearestPoints {
 public:
  explicit NearestPoints(const std::vector<Vec3>& points);

  /// The `count` nearest to a place, and all that are as near as the last but for rounding; nearest
  /// first, of equal ones the lesser index. `self` is left out. All there are where they are fewer.
  std::vector<int> nearest(const Vec3& to, int count, int self = -1) const;

 private:
  std::array<int, 3> cell_of(const Vec3& p) const;

  std::vector<Vec3> points_;    // sorted by cell
  std::vector<int> index_;      // of them, as they were given
  std::vector<int> first_;      // of each cell, and one past the end
  std::array<int, 3> cells_{};  // along each axis
  Vec3 low_ = Vec3::Zero();     // m
  double width_ = 1.0;          // m, of a cell
};

}  // namespace repose::collide
