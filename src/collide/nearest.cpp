#include "repose/collide/nearest.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace repose::collide {

namespace {

/// Distances are equal within this share: places are sums and products of decimals.
constexpr double kAsNear = 1e-6;
constexpr double kPointsInCell = 2.0;
constexpr int kMostHalvings = 20;
/// m; of cells where all points lie in one place.
constexpr double kLeastWidth = 1e-30;

using Found = std::vector<std::pair<double, int>>;

/// The squared distance of the count-th nearest, with what counts as equal.
double far_of(Found& found, std::size_t count) {
  const auto last = found.begin() + static_cast<std::ptrdiff_t>(count - 1);
  std::nth_element(found.begin(), last, found.end());
  return last->first * (1.0 + kAsNear);
}

}  // namespace

NearestPoints::NearestPoints(const std::vector<Vec3>& points) {
  if (points.empty()) return;
  Vec3 high = low_ = points[0];
  for (const Vec3& p : points) {
    low_ = low_.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  const Vec3 size = high - low_;
  // halve the cells until there are enough, however flat the set is
  width_ = std::max(size.maxCoeff(), kLeastWidth);
  const auto count = [&] {
    double all = 1.0;
    for (int k = 0; k < 3; ++k) all *= std::floor(size[k] / width_) + 1.0;
    return all;
  };
  const double wanted = static_cast<double>(points.size()) / kPointsInCell;
  for (int k = 0; k < kMostHalvings && count() < wanted; ++k) width_ *= 0.5;
  for (int k = 0; k < 3; ++k)
    cells_[static_cast<std::size_t>(k)] = static_cast<int>(std::floor(size[k] / width_)) + 1;
  const auto all = static_cast<std::size_t>(count());
  // count, then place: points of a cell keep their order
  std::vector<std::size_t> cell(points.size());
  first_.assign(all + 1, 0);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto c = cell_of(points[i]);
    cell[i] = (static_cast<std::size_t>(c[0]) * static_cast<std::size_t>(cells_[1]) +
               static_cast<std::size_t>(c[1])) *
                  static_cast<std::size_t>(cells_[2]) +
              static_cast<std::size_t>(c[2]);
    ++first_[cell[i] + 1];
  }
  for (std::size_t c = 0; c < all; ++c) first_[c + 1] += first_[c];
  std::vector<int> next(first_.begin(), first_.end() - 1);
  points_.resize(points.size());
  index_.resize(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto place = static_cast<std::size_t>(next[cell[i]]++);
    points_[place] = points[i];
    index_[place] = static_cast<int>(i);
  }
}

std::array<int, 3> NearestPoints::cell_of(const Vec3& p) const {
  std::array<int, 3> out{};
  for (int k = 0; k < 3; ++k) {
    const auto a = static_cast<std::size_t>(k);
    const double place = std::floor((p[k] - low_[k]) / width_);
    out[a] = static_cast<int>(std::clamp(place, 0.0, static_cast<double>(cells_[a] - 1)));
  }
  return out;
}

std::vector<int> NearestPoints::nearest(const Vec3& to, int count, int self) const {
  Found found;
  std::vector<int> out;
  if (points_.empty() || count <= 0) return out;
  const auto middle = cell_of(to);
  const int rings = std::max({cells_[0], cells_[1], cells_[2]});
  const auto wanted = static_cast<std::size_t>(count);
  double far = 0.0;
  for (int ring = 0; ring <= rings; ++ring) {
    for (int i = std::max(0, middle[0] - ring); i <= std::min(cells_[0] - 1, middle[0] + ring); ++i)
      for (int j = std::max(0, middle[1] - ring); j <= std::min(cells_[1] - 1, middle[1] + ring);
           ++j) {
        // within the ring only its two ends along z are new
        const bool inner = std::abs(i - middle[0]) < ring && std::abs(j - middle[1]) < ring;
        const int stride = inner && ring > 0 ? 2 * ring : 1;
        for (int k = middle[2] - ring; k <= middle[2] + ring; k += stride) {
          if (k < 0 || k >= cells_[2]) continue;
          const auto cell = (static_cast<std::size_t>(i) * static_cast<std::size_t>(cells_[1]) +
                             static_cast<std::size_t>(j)) *
                                static_cast<std::size_t>(cells_[2]) +
                            static_cast<std::size_t>(k);
          for (int n = first_[cell]; n < first_[cell + 1]; ++n)
            if (const int index = index_[static_cast<std::size_t>(n)]; index != self)
              found.emplace_back((points_[static_cast<std::size_t>(n)] - to).squaredNorm(), index);
        }
      }
    // what lies beyond this ring is at least so many cells away
    if (found.size() < wanted) continue;
    far = far_of(found, wanted);
    if (far < std::pow(ring * width_, 2)) break;
  }
  if (found.size() >= wanted)
    std::erase_if(found, [&](const auto& entry) { return entry.first > far; });
  std::sort(found.begin(), found.end());
  out.reserve(found.size());
  for (const auto& entry : found) out.push_back(entry.second);
  return out;
}

}  // namespace repose::collide
