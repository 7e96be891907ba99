#include "shape/sew/near_points.h"

#include <algorithm>
#include <cmath>

namespace repose::shape {
namespace {

/// Cells are at least this part of the extent, so that their numbers stay small.
constexpr double kLeastCell = 1e-5;

}  // namespace

NearPoints::NearPoints(double radius, const Vec3& origin, double extent)
    : radius_(radius), cell_(std::max(2.0 * radius, kLeastCell * extent)), origin_(origin) {}

std::int64_t NearPoints::place(double x, double origin) const {
  const double at = std::floor((x - origin) / cell_);
  if (!(std::fabs(at) < static_cast<double>(kReach))) return at > 0.0 ? kReach : -kReach;
  return static_cast<std::int64_t>(at);
}

NearPoints::Cell NearPoints::cell(std::int64_t x, std::int64_t y, std::int64_t z) {
  constexpr int kBits = 21;
  const auto part = [](std::int64_t k) { return static_cast<Cell>(k + kReach + 1); };
  return part(x) << (2 * kBits) | part(y) << kBits | part(z);
}

void NearPoints::add(const Vec3& p) {
  by_cell_[cell(place(p.x(), origin_.x()), place(p.y(), origin_.y()), place(p.z(), origin_.z()))]
      .push_back(static_cast<int>(points_.size()));
  points_.push_back(p);
}

const std::vector<int>& NearPoints::within(const Vec3& p) {
  found_.clear();
  const std::int64_t x = place(p.x(), origin_.x()), y = place(p.y(), origin_.y()),
                     z = place(p.z(), origin_.z());
  for (std::int64_t i = x - 1; i <= x + 1; ++i)
    for (std::int64_t j = y - 1; j <= y + 1; ++j)
      for (std::int64_t k = z - 1; k <= z + 1; ++k) {
        const auto at = by_cell_.find(cell(i, j, k));
        if (at == by_cell_.end()) continue;
        for (const int n : at->second)
          if ((points_[n] - p).norm() <= radius_) found_.push_back(n);
      }
  std::sort(found_.begin(), found_.end());
  return found_;
}

}  // namespace repose::shape
