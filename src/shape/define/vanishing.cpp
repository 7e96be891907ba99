#include "shape/define/vanishing.h"

#include <algorithm>

#include "repose/base/work.h"

namespace repose::shape {
namespace {

/// |Su x Sv| below this fraction of its largest value on the grid counts as vanished.
constexpr double kVanished = 1e-9;
constexpr int kGrid = 12;
/// Share of the domain along each side that is left out, and how often the search halves its step.
constexpr double kBorder = 0.02;
constexpr int kHalvings = 44;
constexpr int kWaysDown = 8;

double area_at(const Patch& patch, const Vec2& at) {
  const UvBox d = patch.domain();
  const PatchJet j = patch.jet(d.u0 + at.x() * (d.u1 - d.u0), d.v0 + at.y() * (d.v1 - d.v0));
  return j.su.cross(j.sv).norm();
}

/// Downhill by halved steps along both parameters and both diagonals.
Vec2 lowest_near(const Patch& patch, Vec2 at) {
  constexpr std::array<std::array<int, 2>, kWaysDown> kWays = {
      {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}}};
  double least = area_at(patch, at), step = 1.0 / kGrid;
  for (int k = 0; k < kHalvings; ++k) {
    bool lower = false;
    for (const auto& way : kWays) {
      const Vec2 next = (at + step * Vec2(way[0], way[1]))
                            .cwiseMax(Vec2::Constant(kBorder))
                            .cwiseMin(Vec2::Constant(1.0 - kBorder));
      const double area = area_at(patch, next);
      if (!(area < least)) continue;
      at = next;
      least = area;
      lower = true;
    }
    if (!lower) step *= 0.5;
  }
  return at;
}

}  // namespace

std::optional<Vec2> vanishing_normal(const Patch& patch) {
  spend_work(kGrid * kGrid + kHalvings * kWaysDown);
  Vec2 lowest(0.5, 0.5);
  double least = area_at(patch, lowest), most = least;
  for (int i = 0; i < kGrid; ++i)
    for (int j = 0; j < kGrid; ++j) {
      const Vec2 at((i + 0.5) / kGrid, (j + 0.5) / kGrid);
      const double area = area_at(patch, at);
      most = std::max(most, area);
      if (area < least) {
        least = area;
        lowest = at;
      }
    }
  const Vec2 at = lowest_near(patch, lowest);
  if (area_at(patch, at) > kVanished * most) return std::nullopt;
  const UvBox d = patch.domain();
  return Vec2(d.u0 + at.x() * (d.u1 - d.u0), d.v0 + at.y() * (d.v1 - d.v0));
}

}  // namespace repose::shape
