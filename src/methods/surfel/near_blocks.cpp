// Which clusters, and which clusters and solids, may come near each other.
#include <algorithm>
#include <cmath>
#include <limits>

#include "repose/base/at.h"

#include "near.h"

namespace repose::surfel {

namespace {

/// Blocks are listed ahead by so much, of the largest radius, or by so many steps.
constexpr double kAhead = 3.0;
constexpr double kStepsAhead = 4.0;
constexpr int kBeside = 27;

using Cell = std::array<std::int64_t, 3>;
struct Entry {
  Cell cell;
  int cluster;
  friend auto operator<=>(const Entry&, const Entry&) = default;
};

struct Box {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 high = Vec3::Constant(-std::numeric_limits<double>::infinity());

  void take(const Box& other) {
    low = low.cwiseMin(other.low);
    high = high.cwiseMax(other.high);
  }
  bool meets(const Box& other) const {
    return (low.array() <= other.high.array()).all() && (other.low.array() <= high.array()).all();
  }
};
Box box_about(const Vec3& p, double reach) {
  return {p - Vec3::Constant(reach), p + Vec3::Constant(reach)};
}

Cell cell_of(const Vec3& p, double width) {
  Cell out;
  for (int k = 0; k < 3; ++k) out[at(k)] = static_cast<std::int64_t>(std::floor(p[k] / width));
  return out;
}

}  // namespace

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

/// Where clusters stand that may be nearer than the margin to another body or a solid: balls of the
/// others need no places.
NearSearch::Standing NearSearch::standing_now(const Arena& arena, const Motion& motion) {
  const double margin = outer_.margin;
  std::vector<double> coarse;  // m; reaches, by phyxels alone
  std::vector<Box> boxes(arena.friction.size());
  for (const Cluster& cluster : arena.clusters.all) {
    coarse.push_back(most_about(arena, rest_, cluster, x_, 0) + cluster.most_radius);
    boxes[at(cluster.body)].take(box_about(motion.x[at(cluster.anchor)], coarse.back()));
  }
  std::vector<int> pieces;
  Standing out;
  for (std::size_t c = 0; c < clusters_; ++c) {
    const Cluster& cluster = arena.clusters.all[c];
    const Vec3& anchor = motion.x[at(cluster.anchor)];
    const Box wide = box_about(anchor, coarse[c] + margin);
    bool near = false;
    for (std::size_t b = 0; b < boxes.size() && !near; ++b)
      near = b != at(cluster.body) && boxes[b].meets(wide);
    pieces.clear();
    for (std::size_t s = 0; s < arena.solids.size() && !near && pieces.empty(); ++s)
      if (arena.solids[s].collides)
        arena.solids[s].obstacle->near(motion.solids[s].world_from_body.inverse() * anchor,
                                       coarse[c] + margin, pieces);
    if (!near && pieces.empty()) continue;
    const int name = static_cast<int>(c);
    out.clusters.push_back(name);
    out.anchors.push_back(anchor);
    out.reaches.push_back(deformed_.reach(carried(arena, name), name));
  }
  return out;
}

/// What was found takes the place of a list; what is known of a block stays.
void NearSearch::put_blocks(std::vector<Found> found, Blocks& list) {
  Blocks next;
  std::sort(found.begin(), found.end());
  next.nearer.assign(found.size(), 0.0);
  next.gone.assign(found.size(), 0.0);
  next.at_rest.resize(found.size());
  next.margin = list.margin;
  next.detail.assign(found.size(), -1);
  std::size_t known = 0;
  for (std::size_t k = 0; k < found.size(); ++k) {
    next.who.push_back(found[k].who);
    next.free.push_back(found[k].gap);
    while (known < list.size() && list.who[known] < found[k].who) ++known;
    if (known == list.size() || list.who[known] != found[k].who) continue;
    next.free[k] = std::max(next.free[k], list.free[known]);
    next.gone[k] = list.gone[known];
    next.at_rest[k] = list.at_rest[known];
    if (list.detail[known] < 0) continue;
    next.detail[k] = static_cast<int>(next.details.size());
    next.details.push_back(std::move(list.details[at(list.detail[known])]));
  }
  list = std::move(next);
}

/// Clusters of different bodies, and clusters and solids, that come nearer than the margin before
/// it is used up.
void NearSearch::list_blocks(const Arena& arena, const Motion& motion) {
  const double margin =
      std::max(kAhead * arena.most_radius, kStepsAhead * 2.0 * h_ * fastest_) + near_gap();
  outer_.margin = margin;
  const Standing all = standing_now(arena, motion);
  std::vector<Found> found;
  find_clusters(arena, all, false, margin, found);
  find_solids(arena, motion, all, margin, found);
  put_blocks(std::move(found), outer_);
}

void NearSearch::find_clusters(const Arena& arena, const Standing& all, bool of_one_body,
                               double margin, std::vector<Found>& out) {
  double widest = 0.0;
  for (const double reach : all.reaches) widest = std::max(widest, reach);
  const double width = 2.0 * widest + margin;
  std::vector<Entry> entries;
  for (std::size_t c = 0; c < all.clusters.size(); ++c)
    entries.push_back({cell_of(all.anchors[c], width), static_cast<int>(c)});
  std::sort(entries.begin(), entries.end());
  const auto compare = [&](int a, int b) {
    if (b >= a) return;
    const int p = all.clusters[at(a)], q = all.clusters[at(b)];
    if ((arena.clusters.all[at(p)].body == arena.clusters.all[at(q)].body) != of_one_body) return;
    const double both = all.reaches[at(a)] + all.reaches[at(b)], far = both + margin;
    const double squared = (all.anchors[at(a)] - all.anchors[at(b)]).squaredNorm();
    if (squared < far * far) out.push_back({{p, q}, std::sqrt(squared) - both});
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

void NearSearch::find_solids(const Arena& arena, const Motion& motion, const Standing& all,
                             double margin, std::vector<Found>& out) const {
  std::vector<int> pieces;
  for (std::size_t s = 0; s < arena.solids.size(); ++s) {
    if (!arena.solids[s].collides) continue;
    const Pose body_from_world = motion.solids[s].world_from_body.inverse();
    const collide::Obstacle& obstacle = *arena.solids[s].obstacle;
    for (std::size_t c = 0; c < all.clusters.size(); ++c) {
      const Vec3 point = body_from_world * all.anchors[c];
      pieces.clear();
      obstacle.near(point, all.reaches[c] + margin, pieces);
      if (pieces.empty()) continue;
      double gap = margin;
      for (const int piece : pieces)
        gap = std::min(gap, obstacle.plane(point, piece).gap(point) - all.reaches[c]);
      out.push_back({{all.clusters[c], static_cast<int>(clusters_ + s)}, gap});
    }
  }
}

}  // namespace repose::surfel
