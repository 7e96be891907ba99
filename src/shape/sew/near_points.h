#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "repose/math/vec.h"

namespace repose::shape {

/// Points that come one by one, and which of them are near another.
class NearPoints {
 public:
  /// `extent`: of all points about `origin`, roughly; m. It sets the grid, not the answers.
  NearPoints(double radius, const Vec3& origin, double extent);

  void add(const Vec3& point);
  /// Numbers (in order of coming) of the points within the radius of p, growing. Valid until the
  /// next call.
  const std::vector<int>& within(const Vec3& p);

 private:
  using Cell = std::uint64_t;
  /// Cells are numbered -kReach to kReach along each axis; all beyond share the last.
  static constexpr std::int64_t kReach = (std::int64_t{1} << 20) - 2;
  std::int64_t place(double x, double origin) const;
  static Cell cell(std::int64_t x, std::int64_t y, std::int64_t z);

  double radius_, cell_;
  Vec3 origin_;
  std::vector<Vec3> points_;
  std::unordered_map<Cell, std::vector<int>> by_cell_;
  std::vector<int> found_;
};

}  // namespace repose::shape
