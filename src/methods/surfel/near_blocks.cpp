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

NearSearch::Detail& NearSearch::Block::detail() const {
  int& index = all.detail[k];
  if (index < 0) {
    index = static_cast<int>(all.details.size());
    all.details.push_back({.unlisted = all.free[k], .gone = all.gone[k]});
  }
  return all.details[at(index)];
}

void NearSearch::Block::set_unlisted(double gap) const {
  detail().unlisted = gap;
  detail().gone = all.gone[k];
}

int NearSearch::solid_of(const Block& block) const {
  const int second = block.who()[1];
  return at(second) < clusters_ ? -1 : second - static_cast<int>(clusters_);
}

/// Clusters and solids that come nearer than the margin before it is used up.
void NearSearch::list_blocks(const Arena& arena, const Motion& motion, bool of_one_body,
                             double fastest, Blocks& list) {
  Blocks next;
  next.margin = std::max(kAhead * arena.most_radius, kStepsAhead * 2.0 * h_ * fastest) + near_gap();
  std::vector<Found> found;
  find_clusters(arena, motion, of_one_body, next.margin, found);
  if (!of_one_body) find_solids(arena, motion, next.margin, found);
  std::sort(found.begin(), found.end());
  next.nearer.assign(found.size(), 0.0);
  next.gone.assign(found.size(), 0.0);
  next.detail.assign(found.size(), -1);
  // what is known of a block stays
  std::size_t known = 0;
  for (std::size_t k = 0; k < found.size(); ++k) {
    next.who.push_back(found[k].who);
    next.free.push_back(found[k].gap);
    while (known < list.size() && list.who[known] < found[k].who) ++known;
    if (known == list.size() || list.who[known] != found[k].who) continue;
    next.free[k] = std::max(next.free[k], list.free[known]);
    next.gone[k] = list.gone[known];
    if (list.detail[known] < 0) continue;
    next.detail[k] = static_cast<int>(next.details.size());
    next.details.push_back(std::move(list.details[at(list.detail[known])]));
  }
  list = std::move(next);
}

void NearSearch::find_clusters(const Arena& arena, const Motion& motion, bool of_one_body,
                               double margin, std::vector<Found>& out) {
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
    out.push_back({{a, b}, gap});
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
                             std::vector<Found>& out) {
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
      out.push_back({{static_cast<int>(c), static_cast<int>(clusters_ + s)}, gap});
    }
  }
}

}  // namespace repose::surfel
