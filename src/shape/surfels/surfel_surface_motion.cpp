#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/LU>

#include "repose/shape/cover.h"
#include "repose/shape/surfel_surface.h"

#include "shape/sew/near_points.h"

namespace repose::shape {

namespace {

/// Phyxels within so many of their mean distances carry a point; twice as many where they are
/// fewer than enough for a gradient.
constexpr double kCarryReach = 2.0;
constexpr std::size_t kFewest = 6;
/// Of the mean spread, cubed: below that phyxels lie on one plane.
constexpr double kFlat = 0.02;
constexpr int kWidenings = 6;
/// Phyxels whose nearest neighbour is looked for, to know their distance.
constexpr std::size_t kLookedAt = 48;
/// Of the trace: what keeps the fit of a flat neighbourhood from turning about; and of a trace that
/// vanishes, m^2.
constexpr double kStiffen = 1e-9;
constexpr double kLeastSpread = 1e-300;

std::size_t place_of(int i) {
  return static_cast<std::size_t>(i);
}

/// m; mean distance of some phyxels to the next one.
double distance_of(const std::vector<Vec3>& points) {
  double sum = 0.0;
  int count = 0;
  const std::size_t stride = std::max<std::size_t>(1, points.size() / kLookedAt);
  for (std::size_t i = 0; i < points.size(); i += stride) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < points.size(); ++j)
      if (j != i) least = std::min(least, (points[j] - points[i]).squaredNorm());
    if (!std::isfinite(least) || !(least > 0.0)) continue;
    sum += std::sqrt(least);
    ++count;
  }
  return count > 0 ? sum / count : 1.0;
}

/// m; of the surfels whose balls have these radii.
double spacing_of(std::vector<double> radii) {
  if (radii.empty()) return 0.0;
  const auto middle = radii.begin() + static_cast<std::ptrdiff_t>(radii.size() / 2);
  std::nth_element(radii.begin(), middle, radii.end());
  return *middle / kCoverBall;
}

Mat3 cofactor(const Mat3& m) {
  Mat3 out;
  out << m.col(1).cross(m.col(2)), m.col(2).cross(m.col(0)), m.col(0).cross(m.col(1));
  return out;
}

/// Phyxels about a point, by weights that end at a reach.
struct Cloud {
  std::vector<int> who;
  std::vector<double> weights;
  double all = 0.0;  // of the weights
  Vec3 mean = Vec3::Zero();
  Mat3 spread = Mat3::Zero();  // m^2

  /// They lie on all sides of their mean, so that a gradient follows from them.
  bool full() const {
    const double size = spread.trace() / 3.0;
    return who.size() >= kFewest && spread.determinant() > kFlat * size * size * size;
  }
};

Cloud cloud_about(const Vec3& point, double reach, const std::vector<Vec3>& phyxels,
                  const std::vector<int>& near) {
  Cloud out;
  for (const int i : near) {
    const double share = 1.0 - (phyxels[place_of(i)] - point).squaredNorm() / (reach * reach);
    if (!(share > 0.0)) continue;
    out.who.push_back(i);
    out.weights.push_back(share * share);
    out.all += out.weights.back();
    out.mean += out.weights.back() * phyxels[place_of(i)];
  }
  if (out.who.empty()) return out;
  out.mean /= out.all;
  for (std::size_t k = 0; k < out.who.size(); ++k) {
    const Vec3 d = phyxels[place_of(out.who[k])] - out.mean;
    out.spread += out.weights[k] * d * d.transpose();
  }
  return out;
}

}  // namespace

SurfelSurfaceMotion::SurfelSurfaceMotion(const SurfelRest& rest)
    : rest_(surfel_surface_of(rest)),
      phyxels_(rest.phyxels.size()),
      spacing_(spacing_of(rest.radii)) {
  attach(rest.phyxels);
}

void SurfelSurfaceMotion::attach(const std::vector<Vec3>& phyxels) {
  first_.assign(1, 0);
  if (phyxels.empty()) return;
  distance_ = distance_of(phyxels);
  Vec3 low = phyxels[0], high = low;
  for (const Vec3& p : phyxels) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  std::vector<NearPoints> grids;  // each twice as wide as the one before
  const auto grid = [&](int widened) -> NearPoints& {
    while (static_cast<int>(grids.size()) <= widened) {
      const double width = kCarryReach * distance_ * std::exp2(grids.size());
      grids.emplace_back(width, 0.5 * (low + high), std::max(width, (high - low).norm()));
      for (const Vec3& p : phyxels) grids.back().add(p);
    }
    return grids[place_of(widened)];
  };
  const double width = kCarryReach * distance_;
  for (const Vec3& point : rest_.points) {
    int widened = 0;
    Cloud cloud = cloud_about(point, width, phyxels, grid(0).within(point));
    while (!cloud.full() && widened < kWidenings) {
      ++widened;
      cloud = cloud_about(point, width * std::exp2(widened), phyxels, grid(widened).within(point));
    }
    const Mat3 stiff = Mat3::Identity() * std::max(kStiffen * cloud.spread.trace(), kLeastSpread);
    const Mat3 inverse = (cloud.spread + stiff).inverse();
    for (std::size_t k = 0; k < cloud.who.size(); ++k) {
      const Vec3 slope =
          cloud.weights[k] * (inverse * (phyxels[place_of(cloud.who[k])] - cloud.mean));
      // linearly complete: the place itself, not the mean of those about it
      shares_.push_back(
          {cloud.who[k], cloud.weights[k] / cloud.all + slope.dot(point - cloud.mean), slope});
    }
    first_.push_back(shares_.size());
  }
}

Mat3 SurfelSurfaceMotion::gradient(std::size_t point, std::span<const Vec3> now) const {
  Mat3 out = Mat3::Zero();
  for (std::size_t k = first_[point]; k < first_[point + 1]; ++k)
    out += now[place_of(shares_[k].phyxel)] * shares_[k].slope.transpose();
  return out;
}

SurfelSurfaceMotion::Places SurfelSurfaceMotion::at(std::span<const Vec3> phyxels_now) const {
  Places out{rest_.points, rest_.normals};
  if (phyxels_now.size() != phyxels_ || phyxels_ == 0) return out;
  for (std::size_t p = 0; p < out.points.size(); ++p) {
    out.points[p].setZero();
    for (std::size_t k = first_[p]; k < first_[p + 1]; ++k)
      out.points[p] += shares_[k].weight * phyxels_now[place_of(shares_[k].phyxel)];
    const Vec3 normal = cofactor(gradient(p, phyxels_now)) * rest_.normals[p];
    const double length = normal.norm();
    if (length > 0.0) out.normals[p] = normal / length;
  }
  return out;
}

std::vector<double> SurfelSurfaceMotion::strains(std::span<const Vec3> phyxels_now) const {
  std::vector<double> out(rest_.points.size(), 0.0);
  if (phyxels_now.size() != phyxels_) return out;
  for (std::size_t p = 0; p < out.size(); ++p) {
    const Mat3 f = gradient(p, phyxels_now);
    out[p] = (0.5 * (f.transpose() * f - Mat3::Identity())).norm();
  }
  return out;
}

}  // namespace repose::shape
