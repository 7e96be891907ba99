#include "repose/measure/heap.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include <Eigen/Dense>

namespace repose::measure {
namespace {

constexpr int kSectors = 12;
constexpr int kSteps = 30;
constexpr double kSettled = 1e-12;  // change of a step over the size of the points
constexpr int kLeastPoints = 24;
/// The flank of a heap, in shares of its height.
constexpr double kFlankLow = 0.2, kFlankHigh = 0.8;
constexpr int kFlankRounds = 8;  // choosing the flank by the cone of the last fit
/// Spacing of surface points, in mean radii.
constexpr double kSurfaceCell = 1.0;

/// height = apex - slope * distance from the axis
struct Cone {
  double x = 0.0, y = 0.0, apex = 0.0, slope = 0.0;
};

int sector_of(const Vec3& p, const Cone& about) {
  const double turn = std::atan2(p.y() - about.y, p.x() - about.x) / (2.0 * std::numbers::pi) + 0.5;
  return std::clamp(static_cast<int>(turn * kSectors), 0, kSectors - 1);
}

/// Gauss and Newton's steps from `cone`, over points that are not in the sector left out.
Cone refine(Cone cone, const std::vector<Vec3>& points, const std::vector<int>& sector, int without,
            double size) {
  for (int step = 0; step < kSteps; ++step) {
    Eigen::Matrix4d normal = Eigen::Matrix4d::Zero();
    Eigen::Vector4d right = Eigen::Vector4d::Zero();
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (sector[i] == without) continue;
      const double dx = points[i].x() - cone.x, dy = points[i].y() - cone.y;
      const double far = std::hypot(dx, dy);
      if (far == 0.0) continue;
      // derivatives of the height by apex, slope and the axis' place
      const Eigen::Vector4d row(1.0, -far, cone.slope * dx / far, cone.slope * dy / far);
      normal += row * row.transpose();
      right += row * (points[i].z() - (cone.apex - cone.slope * far));
    }
    const Eigen::Vector4d change = normal.completeOrthogonalDecomposition().solve(right);
    cone.apex += change[0];
    cone.slope += change[1];
    cone.x += std::clamp(change[2], -size, size);
    cone.y += std::clamp(change[3], -size, size);
    if (std::fabs(change[0]) + std::fabs(change[2]) + std::fabs(change[3]) < kSettled * size &&
        std::fabs(change[1]) < kSettled)
      break;
  }
  return cone;
}

double degrees(double slope) {
  return std::atan(slope) * 180.0 / std::numbers::pi;
}

}  // namespace

std::optional<HeapSlope> fit_cone(const std::vector<Vec3>& points) {
  if (points.size() < kLeastPoints) return std::nullopt;
  Cone cone;
  Vec3 low = points[0], high = low;
  for (const Vec3& p : points) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
    cone.x += p.x() / static_cast<double>(points.size());
    cone.y += p.y() / static_cast<double>(points.size());
  }
  const double size = (high - low).norm();
  cone.apex = high.z();
  cone.slope = 1.0;
  std::vector<int> sector;
  sector.reserve(points.size());
  for (const Vec3& p : points) sector.push_back(sector_of(p, cone));
  const Cone best = refine(cone, points, sector, -1, size);
  if (!std::isfinite(best.slope) || !(best.slope > 0.0)) return std::nullopt;
  HeapSlope out;
  out.angle_deg = degrees(best.slope);
  out.apex = Vec3(best.x, best.y, best.apex);
  out.points = static_cast<int>(points.size());
  for (const Vec3& p : points) {
    const double off =
        p.z() - (best.apex - best.slope * std::hypot(p.x() - best.x, p.y() - best.y));
    out.residual += off * off / static_cast<double>(points.size());
  }
  out.residual = std::sqrt(out.residual);
  // what the angle would be without one sector
  std::array<double, kSectors> angle{};
  double mean = 0.0, spread = 0.0;
  for (int k = 0; k < kSectors; ++k) {
    angle[static_cast<std::size_t>(k)] = degrees(refine(best, points, sector, k, size).slope);
    mean += angle[static_cast<std::size_t>(k)] / kSectors;
  }
  for (const double a : angle) spread += (a - mean) * (a - mean);
  out.error_deg = std::sqrt(spread * (kSectors - 1) / kSectors);
  return out;
}

std::optional<HeapSlope> angle_of_repose(const Grains& grains) {
  const std::vector<Vec3> surface = free_surface(grains, kSurfaceCell * grains.mean_radius());
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (std::size_t i = 0; i < grains.size(); ++i)
    low = std::min(low, grains.centers[i].z() - grains.radii[i]);
  for (const Vec3& p : surface) high = std::max(high, p.z());
  // points are chosen by where they stand, not by their own height: that would flatten the slope
  const auto flank_of = [&](auto&& height_at, double top) {
    std::vector<Vec3> out;
    for (const Vec3& p : surface) {
      const double share = (height_at(p) - low) / (top - low);
      if (share >= kFlankLow && share <= kFlankHigh) out.push_back(p);
    }
    return out;
  };
  auto cone = fit_cone(flank_of([](const Vec3& p) { return p.z(); }, high));
  for (int round = 0; round < kFlankRounds && cone; ++round) {
    const Vec3 apex = cone->apex;
    const double slope = std::tan(cone->angle_deg * std::numbers::pi / 180.0);
    const auto height_at = [&](const Vec3& p) {
      return apex.z() - slope * std::hypot(p.x() - apex.x(), p.y() - apex.y());
    };
    cone = fit_cone(flank_of(height_at, apex.z()));
  }
  return cone;
}

}  // namespace repose::measure
