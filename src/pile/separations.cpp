#include "separations.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include <tbb/parallel_for.h>

#include "repose/base/stage_clock.h"

namespace repose::pile {
namespace {

constexpr int kBlock = 256;  // movers handled as one task, whatever the number of threads

/// Movers sorted by the cell of a uniform grid.
struct Buckets {
  double cell = 1.0;
  std::vector<std::array<int, 3>> cell_of;            // by mover
  std::vector<std::pair<std::uint64_t, int>> sorted;  // (cell key, mover)

  static std::uint64_t key(int x, int y, int z) {
    constexpr std::uint64_t kBias = 1ULL << 20, kMask = (1ULL << 21) - 1;
    const auto bits = [](int v) { return (static_cast<std::uint64_t>(v) + kBias) & kMask; };
    return bits(x) << 42 | bits(y) << 21 | bits(z);
  }
};

Buckets fill_buckets(std::span<const Vec3> centers, double cell) {
  Buckets out;
  out.cell = cell;
  out.cell_of.resize(centers.size());
  out.sorted.resize(centers.size());
  for (std::size_t i = 0; i < centers.size(); ++i) {
    for (int k = 0; k < 3; ++k)
      out.cell_of[i][k] = static_cast<int>(std::floor(centers[i][k] / cell));
    const auto& c = out.cell_of[i];
    out.sorted[i] = {Buckets::key(c[0], c[1], c[2]), static_cast<int>(i)};
  }
  std::sort(out.sorted.begin(), out.sorted.end());
  return out;
}

void add_pairs(const Arena& arena, std::span<const Vec3> centers, std::span<const double> reach,
               const Buckets& buckets, int i, std::vector<Separation>& out) {
  const std::size_t first = out.size();
  const auto& c = buckets.cell_of[i];
  for (int dx = -1; dx <= 1; ++dx)
    for (int dy = -1; dy <= 1; ++dy)
      for (int dz = -1; dz <= 1; ++dz) {
        const std::uint64_t key = Buckets::key(c[0] + dx, c[1] + dy, c[2] + dz);
        auto at = std::lower_bound(buckets.sorted.begin(), buckets.sorted.end(),
                                   std::pair<std::uint64_t, int>(key, i + 1));
        for (; at != buckets.sorted.end() && at->first == key; ++at) {
          const int j = at->second;
          const double touch = arena.movers[i].radius + arena.movers[j].radius;
          const double far = touch + reach[i] + reach[j];
          const Vec3 apart = centers[j] - centers[i];
          const double square = apart.squaredNorm();
          if (square > far * far || square == 0.0) continue;
          const double distance = std::sqrt(square);
          out.push_back({i, j, apart / distance, distance - touch, -1, 0.0});
        }
      }
  std::sort(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(),
            [](const Separation& s, const Separation& t) { return s.b < t.b; });
}

void add_walls(const Arena& arena, const Vec3& center, double reach, int i,
               std::vector<Separation>& out) {
  thread_local std::vector<Cut> cuts;
  cuts.clear();
  const double radius = arena.movers[i].radius;
  arena.walls.cut(center, radius + reach, cuts);
  for (const Cut& cut : cuts)
    out.push_back({-1, i, cut.normal, (center - cut.point).dot(cut.normal) - radius - cut.skin,
                   cut.body, cut.skin});
}

}  // namespace

std::vector<Separation> find_separations(const Arena& arena, std::span<const Vec3> centers,
                                         std::span<const double> reach) {
  const StageScope timed("find_separations");
  double widest = 0.0;
  for (std::size_t i = 0; i < centers.size(); ++i)
    widest = std::max(widest, arena.movers[i].radius + reach[i]);
  const Buckets buckets = fill_buckets(centers, 2.0 * widest);
  const int count = static_cast<int>(centers.size());
  const int blocks = (count + kBlock - 1) / kBlock;
  std::vector<std::vector<Separation>> pairs(blocks), walls(blocks);
  tbb::parallel_for(0, blocks, [&](int block) {
    for (int i = block * kBlock; i < std::min(count, (block + 1) * kBlock); ++i) {
      add_pairs(arena, centers, reach, buckets, i, pairs[block]);
      if (!arena.walls.empty()) add_walls(arena, centers[i], reach[i], i, walls[block]);
    }
  });
  std::vector<Separation> out;
  for (const auto* group : {&pairs, &walls})
    for (const auto& part : *group) out.insert(out.end(), part.begin(), part.end());
  return out;
}

}  // namespace repose::pile
