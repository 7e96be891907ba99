#include "paper_forces.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace repose::surfel {

namespace {

/// k of equation 7's density, and of equation 8's fewest phyxels.
constexpr std::size_t kDensityNeighbours = 6;
constexpr std::size_t kFewestPhyxels = 6;
/// Where the kernel ends for few phyxels, of the distance of the farthest: its share is not
/// nothing.
constexpr double kBeyond = 1.0 + 1e-3;

}  // namespace

Vec3 penalty_force(const Response& r, const Vec3& way, const Vec3& speed) {
  const double squared = way.squaredNorm();
  if (!(squared > 0.0)) return Vec3::Zero();
  return -(r.spring * way + r.damping * (speed.dot(way) / squared) * way);
}

Vec3 friction_force(const Response& r, const Vec3& way, const Vec3& speed) {
  const double squared = way.squaredNorm();
  if (!(squared > 0.0)) return Vec3::Zero();
  const Vec3 along = speed - (speed.dot(way) / squared) * way;
  const double size = along.norm();
  if (!(size > 0.0)) return Vec3::Zero();
  return -r.friction * penalty_force(r, way, speed).norm() / size * along;
}

Vec3 shared_force(const Vec3& on_first, const Vec3& on_second) {
  return 0.5 * (on_first - on_second);
}

double surfel_area(const std::vector<Vec3>& surface, const HashedGrid& grid, double within,
                   std::size_t surfel) {
  std::array<double, kDensityNeighbours> squares{};  // of the nearest, rising
  std::size_t known = 0;
  grid.near(surface[surfel], within, [&](int j, double squared) {
    if (j == static_cast<int>(surfel)) return;
    if (known == kDensityNeighbours && !(squared < squares.back())) return;
    std::size_t place = known < kDensityNeighbours ? known++ : kDensityNeighbours - 1;
    for (; place > 0 && squares[place - 1] > squared; --place) squares[place] = squares[place - 1];
    squares[place] = squared;
  });
  if (known == 0) return std::numbers::pi * within * within;
  return std::numbers::pi * squares[known - 1] / static_cast<double>(known);
}

double even_kernel(double squared, double h) {
  if (!(squared <= h * h)) return 0.0;
  const double u = h * h - squared, cube = h * h * h;
  return 315.0 / (64.0 * std::numbers::pi * (cube * cube * cube)) * (u * u * u);
}

Spreading::Spreading(const std::vector<Vec3>& phyxels, double h)
    : phyxels_(phyxels), h_(h), grid_(phyxels, h) {}

void Spreading::shares(const Vec3& point, int first, std::vector<PhyxelShare>& out) const {
  std::vector<std::pair<double, int>> near;  // squared distance, phyxel
  grid_.near(point, h_, [&](int i, double squared) { near.emplace_back(squared, i); });
  double end = h_;
  if (near.size() < std::min(kFewestPhyxels, phyxels_.size())) {
    near.clear();
    for (std::size_t i = 0; i < phyxels_.size(); ++i)
      near.emplace_back((phyxels_[i] - point).squaredNorm(), static_cast<int>(i));
    std::sort(near.begin(), near.end());
    near.resize(std::min(kFewestPhyxels, near.size()));
    end = kBeyond * std::sqrt(near.back().first);
  }
  // the nearest one first
  std::iter_swap(near.begin(), std::min_element(near.begin(), near.end()));
  double weights = 0.0;
  for (const auto& [squared, i] : near) weights += even_kernel(squared, end);
  if (!(weights > 0.0)) {
    out.push_back({first + near.front().second, 1.0});
    return;
  }
  // its share is what the others leave, so that they sum up to 1
  const std::size_t mine = out.size();
  double left = 1.0;
  for (const auto& [squared, i] : near) {
    out.push_back({first + i, even_kernel(squared, end) / weights});
    if (out.size() > mine + 1) left -= out.back().share;
  }
  out[mine].share = left;
}

void Spreading::spread(const Vec3& point, const Vec3& force, std::vector<Vec3>& on_phyxels) const {
  std::vector<PhyxelShare> all;
  shares(point, 0, all);
  Vec3 left = force;
  for (std::size_t k = 1; k < all.size(); ++k) {
    const Vec3 part = all[k].share * force;
    on_phyxels[static_cast<std::size_t>(all[k].phyxel)] += part;
    left -= part;
  }
  on_phyxels[static_cast<std::size_t>(all.front().phyxel)] += left;
}

}  // namespace repose::surfel
