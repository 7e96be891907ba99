#include "paper_surface.h"

#include <bit>
#include <cmath>
#include <limits>

namespace repose::surfel {

namespace {

/// The Gaussian's width, of the support.
constexpr double kWidth = 1.0 / 3.0;
/// Nearer to the surface than this share of the support it takes a projection to tell the side.
constexpr double kNearSurface = 1.0 / 12.0;
/// Rounds of a projection, and the step at which it has arrived, of the support.
constexpr int kRounds = 12;
constexpr double kArrived = 1e-5;
/// Buckets per point at least; their number is a power of two.
constexpr std::size_t kBuckets = 2;
/// exp x is (1 + x / n)^n but for x^2 / 2n of it: n is two to this.
constexpr int kSquarings = 4;

/// The Gaussian's truncated shape: of -9 at the end of the support what is left is 2e-6.
double bell(double x) {
  double out = 1.0 + x / (1 << kSquarings);
  for (int k = 0; k < kSquarings; ++k) out *= out;
  return out;
}

}  // namespace

HashedGrid::HashedGrid(const std::vector<Vec3>& points, double width) : width_(width) {
  first_.assign(std::bit_ceil(kBuckets * points.size() + 1) + 1, 0);
  std::vector<std::size_t> bucket(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    bucket[i] = bucket_of(name_of(cell_of(points[i])));
    ++first_[bucket[i] + 1];
  }
  for (std::size_t b = 1; b < first_.size(); ++b) first_[b] += first_[b - 1];
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  entries_.resize(points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    entries_[next[bucket[i]]++] = {name_of(cell_of(points[i])), points[i], static_cast<int>(i)};
}

HashedGrid::Cell HashedGrid::cell_of(const Vec3& p) const {
  Cell out;
  for (int k = 0; k < 3; ++k)
    out[static_cast<std::size_t>(k)] = static_cast<std::int64_t>(std::floor(p[k] / width_));
  return out;
}

std::size_t HashedGrid::bucket_of(std::uint64_t name) const {
  // multiplied and folded: neighbours fall into buckets of their own (Knuth's hashing)
  constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;
  constexpr int kHalf = 32;
  const std::uint64_t product = name * kGolden;
  return static_cast<std::size_t>((product ^ product >> kHalf) & (first_.size() - 2));
}

ImplicitSurface::ImplicitSurface(const SurfelCloud& cloud, double support)
    : cloud_(cloud), support_(support), grid_(cloud.points, support) {}

ImplicitSurface::Local ImplicitSurface::local(const Vec3& x) const {
  Local out;
  const double scale = -1.0 / (kWidth * kWidth * support_ * support_);
  double weights = 0.0;
  Vec3 average = Vec3::Zero(), normal = Vec3::Zero();
  grid_.near(x, support_, [&](int i, double squared) {
    const double weight = bell(scale * squared);
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

bool ImplicitSurface::is_inside(const Vec3& x) const {
  // f tells the side of what is not near the surface
  const Local here = local(x);
  if (!here.known) return false;
  const double value = here.value(x);
  if (std::fabs(value) > kNearSurface * support_) return value < 0.0;
  return signed_gap(x) < 0.0;
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
