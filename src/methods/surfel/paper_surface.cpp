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
/// The Gaussian is truncated: of exp(-9) at the end of the support what is left is 2e-6.
constexpr int kSquarings = 4;
/// Width of the cells whose surfels are gathered, of the support; the grid's is one.
constexpr double kPatchWidth = 1.0;
/// What is seen from a cell, in squares of the support: rounding loses none.
constexpr double kSeen = 1.0 + 1e-9;
/// Where the places lie that fill up fours, in supports from the cell's middle along each axis.
constexpr double kBeyond = 4.0;

using Lanes = Eigen::Array4d;

auto lanes(const std::array<double, 4>& from) {
  return Eigen::Map<const Lanes>(from.data());
}

/// m^2; of four places, number by number.
Lanes squared_distances(const std::array<std::array<double, 4>, 3>& points, const Vec3& x) {
  return (lanes(points[0]) - x[0]).square() + (lanes(points[1]) - x[1]).square() +
         (lanes(points[2]) - x[2]).square();
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

HashedGrid::Cell HashedGrid::cell_of(const Vec3& p, double width) {
  Cell out;
  for (int k = 0; k < 3; ++k)
    out[static_cast<std::size_t>(k)] = static_cast<std::int64_t>(std::floor(p[k] / width));
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

const ImplicitSurface::Patch& ImplicitSurface::patch_at(const Vec3& x) const {
  const HashedGrid::Cell cell = HashedGrid::cell_of(x, kPatchWidth * support_);
  const std::uint64_t name = HashedGrid::name_of(cell);
  if (last_ != nullptr && last_name_ == name) return *last_;
  const auto [place, fresh] = patches_.try_emplace(name);
  if (fresh) place->second = gathered(x, cell);
  last_name_ = name;
  last_ = &place->second;
  return *last_;
}

/// x lies in the cell.
ImplicitSurface::Patch ImplicitSurface::gathered(const Vec3& x,
                                                 const HashedGrid::Cell& cell) const {
  const double width = kPatchWidth * support_;
  Vec3 middle;
  for (int k = 0; k < 3; ++k)
    middle[k] = (static_cast<double>(cell[static_cast<std::size_t>(k)]) + 0.5) * width;
  std::vector<int> near;
  // the cells beside that of x hold all that any place of the small cell may see, if it lies in
  // one of them as a whole: its width divides theirs
  grid_.about(x, [&](int i, const Vec3& p) {
    const Vec3 beyond = ((p - middle).cwiseAbs().array() - 0.5 * width).max(0.0);
    if (beyond.squaredNorm() < kSeen * support_ * support_) near.push_back(i);
  });
  Patch out;
  out.first = fours_.size();
  out.last = out.first + (near.size() + 3) / 4;
  fours_.resize(out.last);
  for (std::size_t n = 0; n < 4 * (out.last - out.first); ++n) {
    Four& four = fours_[out.first + n / 4];
    const bool there = n < near.size();
    const auto i = static_cast<std::size_t>(there ? near[n] : 0);
    four.indices[n % 4] = there ? near[n] : -1;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto axis = static_cast<Eigen::Index>(k);
      four.points[k][n % 4] = there ? cloud_.points[i][axis] : middle[axis] + kBeyond * support_;
      four.normals[k][n % 4] = there ? cloud_.normals[i][axis] : 0.0;
    }
  }
  return out;
}

ImplicitSurface::Local ImplicitSurface::local(const Vec3& x) const {
  Local out;
  const Patch& patch = patch_at(x);
  const double scale = -1.0 / (kWidth * kWidth * support_ * support_) / (1 << kSquarings);
  const double end = support_ * support_;
  Lanes weights = Lanes::Zero();
  std::array<Lanes, 3> average, normal;
  average.fill(Lanes::Zero());
  normal.fill(Lanes::Zero());
  for (std::size_t f = patch.first; f < patch.last; ++f) {
    const Four& four = fours_[f];
    const Lanes squared = squared_distances(four.points, x);
    Lanes weight = 1.0 + scale * squared;
    for (int k = 0; k < kSquarings; ++k) weight = weight.square();
    weight = (squared < end).select(weight, 0.0);
    weights += weight;
    for (std::size_t k = 0; k < 3; ++k) {
      average[k] += weight * lanes(four.points[k]);
      normal[k] += weight * lanes(four.normals[k]);
    }
  }
  const double all = weights.sum();
  const Vec3 points(average[0].sum(), average[1].sum(), average[2].sum());
  const Vec3 normals(normal[0].sum(), normal[1].sum(), normal[2].sum());
  const double length = normals.norm();
  if (!(all > 0.0 && length > 0.0)) return out;
  out.known = true;
  out.average = points / all;
  out.normal = normals / length;
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
  double least = support_ * support_;
  const Patch& patch = patch_at(x);
  for (std::size_t f = patch.first; f < patch.last; ++f) {
    const Four& four = fours_[f];
    const Lanes squares = squared_distances(four.points, x);
    if (!(squares <= least).any()) continue;
    for (std::size_t n = 0; n < 4; ++n) {
      const double squared = squares[static_cast<Eigen::Index>(n)];
      const int i = four.indices[n];
      if (i >= 0 && (squared < least || (squared == least && out >= 0 && i < out)))
        least = squared, out = i;
    }
  }
  return out;
}

}  // namespace repose::surfel
