#include "near.h"

#include <algorithm>
#include <cmath>

#include "repose/base/stage_clock.h"

#include "elasticity.h"
#include "motion.h"

namespace repose::surfel {

namespace {

/// Blocks are listed ahead by so much, of the largest radius, or by so many steps.
constexpr double kAhead = 1.0;
constexpr double kStepsAhead = 4.0;
/// Pairs of a block are listed ahead by so much, of the largest radius, or by so many steps.
constexpr double kPairsAhead = 0.25;
constexpr double kPairStepsAhead = 4.0;
/// A cluster is measured again when it may have grown by this share.
constexpr double kMostGrowth = 0.05;
/// Pairs of one body nearer at rest than this many of the largest radius are listed once.
constexpr double kListedAtRest = 1.0;
/// Pairs nearer than so many gaps to keep are always told.
constexpr double kNearGaps = 2.0;
constexpr int kBeside = 27;

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

Parting parting_of(const Arena& arena, const Motion& motion, const Balls& balls, const Pair& pair) {
  Parting out;
  const Vec3& center = balls.centers[at(pair.ball)];
  const double radius = arena.radius[at(pair.ball)];
  if (pair.other >= 0) {
    const Vec3 way = center - balls.centers[at(pair.other)];
    const double length = way.norm();
    if (length > 0.0) out.normal = way / length;
    out.gap = length - radius - arena.radius[at(pair.other)];
    return out;
  }
  const Pose& pose = motion.solids[at(pair.solid)];
  const Vec3 point = pose.inverse() * center;
  const collide::Plane plane = arena.solids[at(pair.solid)].obstacle->plane(point, pair.piece);
  out.normal = pose.turn(plane.normal);
  out.gap = plane.gap(point) - radius;
  return out;
}

void NearSearch::carry(const Arena& arena, const Motion& motion, int ball) {
  if (carried_[at(ball)] == step_) return;
  carried_[at(ball)] = step_;
  balls_.centers[at(ball)] = at_ball(arena, motion.x, ball);
}

void NearSearch::activate(const Pair& pair) {
  for (const int ball : {pair.ball, pair.other}) {
    if (ball < 0 || activated_[at(ball)] == step_) continue;
    activated_[at(ball)] = step_;
    active_.push_back(ball);
  }
}

Parting NearSearch::known(const Arena& arena, const Motion& motion, const Pair& pair) {
  carry(arena, motion, pair.ball);
  if (pair.other >= 0) carry(arena, motion, pair.other);
  activate(pair);
  return parting_of(arena, motion, balls_, pair);
}

/// Everything is where the last step left it, so that what is known still holds.
bool NearSearch::goes_on(const Arena& arena, const Motion& motion) const {
  if (reach_.size() != arena.clusters.size() || balls_.centers.size() != at(arena.balls()))
    return false;
  if (expected_ != motion.x || expected_solids_.size() != motion.solids.size()) return false;
  for (std::size_t s = 0; s < motion.solids.size(); ++s)
    if (expected_solids_[s] != motion.solids[s].position) return false;
  return true;
}

/// Nothing is known of the places.
void NearSearch::start(const Arena& arena, const Motion& motion) {
  const auto balls = at(arena.balls());
  balls_.centers.assign(balls, Vec3::Zero());
  balls_.velocities.assign(balls, Vec3::Zero());
  carried_.assign(balls, -1);
  activated_.assign(balls, -1);
  blocks_.clear();
  at_rest_.clear();
  margin_ = -1.0;
  reach_.assign(arena.clusters.size(), 0.0);
  grown_ = speeds_ = reach_;
  tightened_.assign(reach_.size(), -1);
  for (std::size_t c = 0; c < arena.clusters.size(); ++c) measure(arena, motion, c);
}

void NearSearch::measure(const Arena& arena, const Motion& motion, std::size_t cluster) {
  const Cluster& c = arena.clusters.all[cluster];
  double reach = 0.0;
  for (const int ball : arena.clusters.balls_of(c)) {
    carry(arena, motion, ball);
    reach = std::max(
        reach, (balls_.centers[at(ball)] - motion.x[at(c.anchor)]).norm() + arena.radius[at(ball)]);
  }
  reach_[cluster] = reach;
  grown_[cluster] = 0.0;
}

void NearSearch::begin(const Arena& arena, const Motion& motion, double h, double keep) {
  const StageScope timed("find_near");
  h_ = h;
  keep_ = keep;
  ++step_;
  pairs_.clear();
  partings_.clear();
  active_.clear();
  fastest_ = 0.0;
  deformed_.begin(arena);
  if (!goes_on(arena, motion)) start(arena, motion);
  for (std::size_t c = 0; c < reach_.size(); ++c)
    if (grown_[c] > kMostGrowth * reach_[c]) measure(arena, motion, c);
}

/// How fast the balls of clusters go against their anchors, and the fastest of all.
void NearSearch::see_speeds(const Arena& arena, const Motion& motion) {
  ++looks_;
  for (std::size_t c = 0; c < speeds_.size(); ++c) {
    const Cluster& cluster = arena.clusters.all[c];
    const Vec3& anchor = motion.v[at(cluster.anchor)];
    double most = 0.0;
    for (const int i : arena.clusters.phyxels_of(cluster))
      most = std::max(most, (motion.v[at(i)] - anchor).squaredNorm());
    speeds_[c] = cluster.spread * std::sqrt(most);
    fastest_ = std::max(fastest_, anchor.norm() + speeds_[c]);
  }
  for (const Vec3& v : motion.solid_velocities) fastest_ = std::max(fastest_, v.norm());
}

/// Velocities about the anchor are linear but for a rest, and weights reproduce the linear part.
double NearSearch::tight_speed(const Arena& arena, const Motion& motion, int cluster) {
  const std::size_t c = at(cluster);
  if (tightened_[c] == looks_) return speeds_[c];
  tightened_[c] = looks_;
  const Cluster& one = arena.clusters.all[c];
  const Vec3 &anchor = motion.v[at(one.anchor)], &rest = arena.rest[at(one.anchor)];
  const Mat3 linear = gradient_of(arena, motion.v, one.anchor);
  double most = 0.0;
  for (const int i : arena.clusters.phyxels_of(one))
    most = std::max(most,
                    (motion.v[at(i)] - anchor - linear * (arena.rest[at(i)] - rest)).squaredNorm());
  speeds_[c] =
      std::min(speeds_[c], linear.norm() * one.reach_at_rest + one.spread * std::sqrt(most));
  return speeds_[c];
}

/// m; how much nearer the two may come in the step, if balls go against their anchors so fast.
double NearSearch::approach(const Arena& arena, const Motion& motion, const Block& block,
                            double upper, double lower) const {
  const Vec3& first = motion.v[at(arena.clusters.all[at(block.who[0])].anchor)];
  const Vec3& second = block.who[1] < 0 ? motion.solid_velocities[at(-1 - block.who[1])]
                                        : motion.v[at(arena.clusters.all[at(block.who[1])].anchor)];
  return h_ * ((first - second).norm() + upper + lower);
}

double NearSearch::approach(const Arena& arena, const Motion& motion, const Block& block) const {
  return approach(arena, motion, block, speeds_[at(block.who[0])],
                  block.who[1] < 0 ? 0.0 : speeds_[at(block.who[1])]);
}

double NearSearch::tight_approach(const Arena& arena, const Motion& motion, const Block& block) {
  return approach(arena, motion, block, tight_speed(arena, motion, block.who[0]),
                  block.who[1] < 0 ? 0.0 : tight_speed(arena, motion, block.who[1]));
}

void NearSearch::look(const Arena& arena, const Motion& motion) {
  const StageScope timed("find_near");
  see_speeds(arena, motion);
  if (!(2.0 * h_ * fastest_ + kNearGaps * keep_ <= margin_)) list_blocks(arena, motion);
  for (Block& block : blocks_) {
    const double near = kNearGaps * keep_;
    if (block.free >= approach(arena, motion, block) + near) continue;
    const double within = tight_approach(arena, motion, block) + near;
    if (block.free < within) bound_from_rest(arena, motion, within, block);
    if (block.free < within) take(arena, motion, within, block);
  }
  for (const int ball : active_) balls_.velocities[at(ball)] = at_ball(arena, motion.v, ball);
}

void NearSearch::end(const Arena& arena, const Motion& motion) {
  const StageScope timed("find_near");
  margin_ -= 2.0 * h_ * fastest_;
  for (Block& block : blocks_) {
    const double nearer = approach(arena, motion, block);
    block.free -= nearer;
    block.unlisted -= nearer;
  }
  for (std::size_t c = 0; c < reach_.size(); ++c) {
    grown_[c] += h_ * speeds_[c];
    reach_[c] += h_ * speeds_[c];
  }
  expected_ = motion.x;
  for (std::size_t i = 0; i < expected_.size(); ++i) expected_[i] += h_ * motion.v[i];
  expected_solids_.clear();
  for (std::size_t s = 0; s < motion.solids.size(); ++s)
    expected_solids_.emplace_back(motion.solids[s].position + h_ * motion.solid_velocities[s]);
}

/// Clusters and solids that come nearer than the margin before it is used up.
void NearSearch::list_blocks(const Arena& arena, const Motion& motion) {
  margin_ =
      std::max(kAhead * arena.most_radius, kStepsAhead * 2.0 * h_ * fastest_) + kNearGaps * keep_;
  std::vector<Block> found;
  find_clusters(arena, motion, found);
  find_solids(arena, motion, found);
  const auto before = [](const Block& p, const Block& q) { return p.who < q.who; };
  std::sort(found.begin(), found.end(), before);
  // what is known of a block stays
  auto known = blocks_.begin();
  for (Block& block : found) {
    while (known != blocks_.end() && known->who < block.who) ++known;
    if (known != blocks_.end() && known->who == block.who) std::swap(block, *known);
  }
  blocks_ = std::move(found);
}

void NearSearch::find_clusters(const Arena& arena, const Motion& motion, std::vector<Block>& out) {
  double widest = 0.0;
  for (const double reach : reach_) widest = std::max(widest, reach);
  const double width = 2.0 * widest + margin_;
  std::vector<Entry> entries;
  for (std::size_t c = 0; c < reach_.size(); ++c)
    entries.push_back(
        {cell_of(motion.x[at(arena.clusters.all[c].anchor)], width), static_cast<int>(c)});
  std::sort(entries.begin(), entries.end());
  for (std::size_t first = 0; first < entries.size();) {
    const Cell& cell = entries[first].cell;
    std::size_t last = first;
    while (last < entries.size() && entries[last].cell == cell) ++last;
    for (int n = 0; n < kBeside; ++n) {
      const Cell beside{cell[0] + n / 9 - 1, cell[1] + n / 3 % 3 - 1, cell[2] + n % 3 - 1};
      auto other = std::lower_bound(entries.begin(), entries.end(), Entry{beside, -1});
      for (; other != entries.end() && other->cell == beside; ++other)
        for (std::size_t k = first; k < last; ++k) {
          const int a = entries[k].cluster, b = other->cluster;
          if (b >= a) continue;
          const Vec3 way = motion.x[at(arena.clusters.all[at(a)].anchor)] -
                           motion.x[at(arena.clusters.all[at(b)].anchor)];
          const double gap = way.norm() - reach_[at(a)] - reach_[at(b)];
          if (gap < margin_) out.push_back({.who = {a, b}, .free = gap, .unlisted = gap});
        }
    }
    first = last;
  }
}

void NearSearch::find_solids(const Arena& arena, const Motion& motion, std::vector<Block>& out) {
  std::vector<int> pieces;
  for (std::size_t s = 0; s < arena.solids.size(); ++s) {
    const Pose body_from_world = motion.solids[s].inverse();
    const collide::Obstacle& obstacle = *arena.solids[s].obstacle;
    for (std::size_t c = 0; c < reach_.size(); ++c) {
      const Vec3 point = body_from_world * motion.x[at(arena.clusters.all[c].anchor)];
      pieces.clear();
      obstacle.near(point, reach_[c] + margin_, pieces);
      if (pieces.empty()) continue;
      double gap = margin_;
      for (const int piece : pieces)
        gap = std::min(gap, obstacle.plane(point, piece).gap(point) - reach_[c]);
      out.push_back(
          {.who = {static_cast<int>(c), -1 - static_cast<int>(s)}, .free = gap, .unlisted = gap});
    }
  }
}

const NearSearch::AtRest& NearSearch::at_rest(const Arena& arena, const std::array<int, 2>& who) {
  const auto [entry, fresh] = at_rest_.try_emplace(who);
  AtRest& out = entry->second;
  if (!fresh) return out;
  out.unlisted = kListedAtRest * arena.most_radius;
  for (const int a : arena.clusters.balls_of(arena.clusters.all[at(who[0])]))
    for (const int b : arena.clusters.balls_of(arena.clusters.all[at(who[1])])) {
      const double both = arena.radius[at(a)] + arena.radius[at(b)], reach = both + out.unlisted;
      const double squared = (arena.rest_center[at(a)] - arena.rest_center[at(b)]).squaredNorm();
      if (!(squared < reach * reach) || arena.belong_together(a, b)) continue;
      out.listed.emplace_back(std::sqrt(squared) - both,
                              Pair{std::max(a, b), std::min(a, b), -1, -1});
    }
  std::sort(out.listed.begin(), out.listed.end());
  return out;
}

/// Of two clusters of one body: gaps differ from those at rest by no more than it is deformed.
void NearSearch::bound_from_rest(const Arena& arena, const Motion& motion, double within,
                                 Block& block) {
  if (block.looked == step_ || block.who[1] < 0) return;
  const Cluster& cluster = arena.clusters.all[at(block.who[0])];
  if (cluster.body != arena.clusters.all[at(block.who[1])].body) return;
  const AtRest& rest = at_rest(arena, block.who);
  const double nearer = deformed_.nearer(arena, motion, block.who[0], block.who[1]);
  const double least = rest.listed.empty() ? rest.unlisted : rest.listed.front().first;
  block.free = std::max(block.free, least - nearer);
  if (block.free >= within || block.unlisted >= within) return;
  const double unlisted = std::min(rest.unlisted - nearer, kPairStepsAhead * within);
  if (unlisted < within) return;
  block.listed.clear();
  block.gaps.clear();
  for (const auto& [gap, pair] : rest.listed) {
    if (gap >= unlisted + nearer) break;
    block.listed.push_back(pair);
  }
  block.unlisted = unlisted;
}

/// All pairs of the block nearer than `within`.
void NearSearch::list_pairs(const Arena& arena, const Motion& motion, double within, Block& block) {
  block.listed.clear();
  block.gaps.clear();
  const auto upper = arena.clusters.balls_of(arena.clusters.all[at(block.who[0])]);
  for (const int ball : upper) carry(arena, motion, ball);
  if (block.who[1] < 0) {
    const auto s = at(-1 - block.who[1]);
    const Pose body_from_world = motion.solids[s].inverse();
    std::vector<int> pieces;
    for (const int ball : upper) {
      pieces.clear();
      arena.solids[s].obstacle->near(body_from_world * balls_.centers[at(ball)],
                                     arena.radius[at(ball)] + within, pieces);
      for (const int piece : pieces) block.listed.push_back({ball, -1, static_cast<int>(s), piece});
    }
  } else {
    const auto lower = arena.clusters.balls_of(arena.clusters.all[at(block.who[1])]);
    for (const int ball : lower) carry(arena, motion, ball);
    for (const int a : upper)
      for (const int b : lower) {
        const double reach = arena.radius[at(a)] + arena.radius[at(b)] + within;
        if ((balls_.centers[at(a)] - balls_.centers[at(b)]).squaredNorm() < reach * reach &&
            !arena.belong_together(a, b))
          block.listed.push_back({std::max(a, b), std::min(a, b), -1, -1});
      }
  }
  block.unlisted = within;
}

void NearSearch::find_gaps(const Arena& arena, const Motion& motion, Block& block) {
  block.gaps.clear();
  block.free = block.unlisted;
  for (const Pair& pair : block.listed) {
    carry(arena, motion, pair.ball);
    if (pair.other >= 0) carry(arena, motion, pair.other);
    block.gaps.push_back(parting_of(arena, motion, balls_, pair).gap);
    block.free = std::min(block.free, block.gaps.back());
  }
  block.looked = step_;
  block.taken = -std::numeric_limits<double>::infinity();
}

/// Pairs of the block nearer than `within` are told.
void NearSearch::take(const Arena& arena, const Motion& motion, double within, Block& block) {
  // pairs told before in the step stay told: they are the nearer ones
  const bool again = block.looked == step_;
  const double taken = block.taken;
  if (block.unlisted < within)
    list_pairs(arena, motion, std::max(kPairsAhead * arena.most_radius, kPairStepsAhead * within),
               block);
  else if (again && block.taken >= within)
    return;
  if (!again || block.gaps.size() != block.listed.size()) find_gaps(arena, motion, block);
  if (again) block.taken = taken;
  for (std::size_t k = 0; k < block.listed.size(); ++k) {
    const double gap = block.gaps[k];
    if (!(gap < within) || gap < block.taken) continue;
    const Pair& pair = block.listed[k];
    activate(pair);
    pairs_.push_back(pair);
    partings_.push_back(parting_of(arena, motion, balls_, pair));
  }
  block.taken = std::max(block.taken, within);
}

}  // namespace repose::surfel
