#include "paper_surface.h"

#include <cmath>
#include <limits>

namespace repose::surfel {

namespace {

/// The Gaussian's width, of the support.
constexpr double kWidth = 1.0 / 3.0;
/// Rounds of a projection, and the step at which it has arrived, of the support.
constexpr int kRounds = 12;
constexpr double kArrived = 1e-5;
/// Buckets per point.
constexpr std::size_t kBuckets = 2;

}  // namespace

HashedGrid::HashedGrid(const std::vector<Vec3>& points, double width) : width_(width) {
  first_.assign(kBuckets * points.size() + 2, 0);
  std::vector<std::size_t> bucket(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    bucket[i] = bucket_of(cell_of(points[i]));
    ++first_[bucket[i] + 1];
  }
  for (std::size_t b = 1; b < first_.size(); ++b) first_[b] += first_[b - 1];
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  entries_.resize(points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    entries_[next[bucket[i]]++] = {cell_of(points[i]), points[i], static_cast<int>(i)};
}

HashedGrid::Cell HashedGrid::cell_of(const Vec3& p) const {
  Cell out;
  for (int k = 0; k < 3; ++k)
    out[static_cast<std::size_t>(k)] = static_cast<std::int64_t>(std::floor(p[k] / width_));
  return out;
}

std::size_t HashedGrid::bucket_of(const Cell& cell) const {
  // the primes of Teschner 2003
  constexpr std::uint64_t kX = 73856093, kY = 19349663, kZ = 83492791;
  const std::uint64_t hash = static_cast<std::uint64_t>(cell[0]) * kX ^
                             static_cast<std::uint64_t>(cell[1]) * kY ^
                             static_cast<std::uint64_t>(cell[2]) * kZ;
  return static_cast<std::size_t>(hash % (first_.size() - 1));
}

ImplicitSurface::ImplicitSurface(const SurfelCloud& cloud, double support)
    : cloud_(cloud), support_(support), grid_(cloud.points, support) {}

ImplicitSurface::Local ImplicitSurface::local(const Vec3& x) const {
  Local out;
  const double scale = -1.0 / (kWidth * kWidth * support_ * support_);
  double weights = 0.0;
  Vec3 average = Vec3::Zero(), normal = Vec3::Zero();
  grid_.near(x, support_, [&](int i, double squared) {
    const double weight = std::exp(scale * squared);
    weights += weight;
    average += weight * cloud_.points[static_cast<std::size_t>(i)];
    normal += weight * cloud_.normals[static_cast<std::size_t>(i)];
  });
  const double length = normal.norm();
  if (!(weights > 0.0 && length > 0.0)) return out;
  out.known = true;
  out.average = average / weights;
  out.normal = normal / length;
  return out;
}

double ImplicitSurface::value(const Vec3& x) const {
  const Local here = local(x);
  return here.known ? here.value(x) : std::numeric_limits<double>::infinity();
}

ImplicitSurface::Foot ImplicitSurface::project(const Vec3& x) const {
  Foot out;
  Vec3 at = x;
  for (int round = 0; round < kRounds; ++round) {
    const Local here = local(at);
    if (!here.known) return {};
    // from the point itself along the normal found at its foot
    const Vec3 next = x - here.value(x) * here.normal;
    const double step = (next - at).norm();
    at = next;
    out = {true, at, here.normal};
    if (step < kArrived * support_) break;
  }
  return out;
}

double ImplicitSurface::signed_gap(const Vec3& x) const {
  const Foot foot = project(x);
  return foot.known ? (x - foot.point).dot(foot.normal) : std::numeric_limits<double>::infinity();
}

int ImplicitSurface::nearest(const Vec3& x) const {
  int out = -1;
  double least = std::numeric_limits<double>::infinity();
  grid_.near(x, support_, [&](int i, double squared) {
    if (squared < least || (squared == least && i < out)) least = squared, out = i;
  });
  return out;
}

}  // namespace repose::surfel
