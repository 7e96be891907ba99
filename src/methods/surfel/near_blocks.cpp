// Which clusters, and which clusters and solids, may come near each other.
#include <algorithm>
#include <cmath>

#include "near.h"

namespace repose::surfel {

namespace {

/// Blocks are listed ahead by so much, of the largest radius, or by so many steps.
constexpr double kAhead = 1.0;
constexpr double kStepsAhead = 4.0;
constexpr int kBeside = 27;
/// The reach of a cluster is found anew when its bound has grown by this much, of the largest
/// radius. Larger: fewer looks at all balls, more blocks.
constexpr double kReachGrown = 0.25;

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

using Cell = std::array<std::int64_t, 3>;
struct Entry {
  Cell cell;
  int cluster;
  friend auto operator<=>(const Entry&, const Entry&) = default;
};

Cell cell_of(const Vec3& p, double width) {
  Cell out;
  for (int k = 0; k < 3; ++k) out[at(k)] = static_cast<std::int64_t>(std::floor(p[k] / width));
  return out;
}

}  // namespace

/// No ball of a cluster reaches farther from the anchor; the bound grows by what balls go against
/// it.
double NearSearch::reach(const Arena& arena, const Motion& motion, std::size_t cluster) {
  if (grown_[cluster] <= kReachGrown * arena.most_radius) return reach_[cluster];
  grown_[cluster] = 0.0;
  reach_[cluster] =
      deformed_.reach(carried(arena, motion, static_cast<int>(cluster)), static_cast<int>(cluster));
  return reach_[cluster];
}

/// Clusters and solids that come nearer than the margin before it is used up.
void NearSearch::list_blocks(const Arena& arena, const Motion& motion, bool of_one_body,
                             double fastest, BlockList& list) {
  const double near = near_gap();
  list.margin = std::max(kAhead * arena.most_radius, kStepsAhead * 2.0 * h_ * fastest) + near;
  std::vector<Block> found;
  find_clusters(arena, motion, of_one_body, list.margin, found);
  if (!of_one_body) find_solids(arena, motion, list.margin, found);
  const auto before = [](const Block& p, const Block& q) { return p.who < q.who; };
  std::sort(found.begin(), found.end(), before);
  // what is known of a block stays
  auto known = list.blocks.begin();
  for (Block& block : found) {
    while (known != list.blocks.end() && known->who < block.who) ++known;
    if (known != list.blocks.end() && known->who == block.who) std::swap(block, *known);
  }
  list.blocks = std::move(found);
}

void NearSearch::find_clusters(const Arena& arena, const Motion& motion, bool of_one_body,
                               double margin, std::vector<Block>& out) {
  double widest = 0.0;
  for (std::size_t c = 0; c < reach_.size(); ++c)
    widest = std::max(widest, reach(arena, motion, c));
  const double width = 2.0 * widest + margin;
  std::vector<Entry> entries;
  for (std::size_t c = 0; c < reach_.size(); ++c)
    entries.push_back(
        {cell_of(motion.x[at(arena.clusters.all[c].anchor)], width), static_cast<int>(c)});
  std::sort(entries.begin(), entries.end());
  const auto compare = [&](int a, int b) {
    if (b >= a) return;
    const Cluster &p = arena.clusters.all[at(a)], &q = arena.clusters.all[at(b)];
    if ((p.body == q.body) != of_one_body) return;
    const double both = reach_[at(a)] + reach_[at(b)], far = both + margin;
    const double squared = (motion.x[at(p.anchor)] - motion.x[at(q.anchor)]).squaredNorm();
    if (!(squared < far * far)) return;
    const double gap = std::sqrt(squared) - both;
    out.push_back({.who = {a, b}, .free = gap, .unlisted = gap});
  };
  for (std::size_t first = 0; first < entries.size();) {
    const Cell& cell = entries[first].cell;
    std::size_t last = first;
    while (last < entries.size() && entries[last].cell == cell) ++last;
    for (int n = 0; n < kBeside; ++n) {
      const Cell beside{cell[0] + n / 9 - 1, cell[1] + n / 3 % 3 - 1, cell[2] + n % 3 - 1};
      auto other = std::lower_bound(entries.begin(), entries.end(), Entry{beside, -1});
      for (; other != entries.end() && other->cell == beside; ++other)
        for (std::size_t k = first; k < last; ++k) compare(entries[k].cluster, other->cluster);
    }
    first = last;
  }
}

void NearSearch::find_solids(const Arena& arena, const Motion& motion, double margin,
                             std::vector<Block>& out) {
  std::vector<int> pieces;
  for (std::size_t s = 0; s < arena.solids.size(); ++s) {
    const Pose body_from_world = motion.solids[s].inverse();
    const collide::Obstacle& obstacle = *arena.solids[s].obstacle;
    for (std::size_t c = 0; c < reach_.size(); ++c) {
      const Vec3 point = body_from_world * motion.x[at(arena.clusters.all[c].anchor)];
      pieces.clear();
      obstacle.near(point, reach(arena, motion, c) + margin, pieces);
      if (pieces.empty()) continue;
      double gap = margin;
      for (const int piece : pieces)
        gap = std::min(gap, obstacle.plane(point, piece).gap(point) - reach_[c]);
      out.push_back(
          {.who = {static_cast<int>(c), -1 - static_cast<int>(s)}, .free = gap, .unlisted = gap});
    }
  }
}

}  // namespace repose::surfel
