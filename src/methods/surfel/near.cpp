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
/// Pairs of one body nearer at rest than this many of the largest radius are listed once, where
/// they are asked for.
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

Vec3 mean_velocity(const Arena& arena, const Motion& motion, int body) {
  const int first = arena.first_phyxel[at(body)], last = arena.first_phyxel[at(body) + 1];
  Vec3 out = Vec3::Zero();
  for (int i = first; i < last; ++i) out += motion.v[at(i)];
  return out / std::max(1, last - first);
}

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

/// The places of a cluster's balls, among others.
Deformed::Places NearSearch::carried(const Arena& arena, const Motion& motion, int cluster) {
  for (const int ball : arena.clusters.balls_of(arena.clusters.all[at(cluster)]))
    carry(arena, motion, ball);
  return {arena, motion, balls_.centers};
}

void NearSearch::take_centers(std::vector<Vec3> centers) {
  balls_.centers = std::move(centers);
  carried_.assign(balls_.centers.size(), step_ + 1);
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
  if (speeds_.size() != arena.clusters.size() || balls_.centers.size() != at(arena.balls()))
    return false;
  if (expected_ != motion.x || expected_solids_.size() != motion.solids.size()) return false;
  for (std::size_t s = 0; s < motion.solids.size(); ++s)
    if (expected_solids_[s] != motion.solids[s].position) return false;
  return true;
}

/// Nothing is known of the places.
void NearSearch::start(const Arena& arena) {
  const auto balls = at(arena.balls());
  balls_.centers.assign(balls, Vec3::Zero());
  balls_.velocities.assign(balls, Vec3::Zero());
  carried_.assign(balls, -1);
  activated_.assign(balls, -1);
  outer_ = inner_ = BlockList();
  inner_keys_.clear();
  at_rest_.clear();
  speeds_.assign(arena.clusters.size(), 0.0);
  reach_ = drifts_ = gone_ = ahead_ = speeds_;
  tightened_.assign(speeds_.size(), -1);
  reached_ = tightened_;
}

/// No ball of a cluster reaches farther from the anchor; found once a step.
double NearSearch::reach(const Arena& arena, const Motion& motion, std::size_t cluster) {
  if (reached_[cluster] == step_) return reach_[cluster];
  reached_[cluster] = step_;
  reach_[cluster] =
      deformed_.reach(carried(arena, motion, static_cast<int>(cluster)), static_cast<int>(cluster));
  return reach_[cluster];
}

void NearSearch::begin(const Arena& arena, const Motion& motion, double h, double keep) {
  const StageScope timed("find_near");
  h_ = h;
  keep_ = keep;
  ++step_;
  pairs_.clear();
  partings_.clear();
  active_.clear();
  fastest_ = fastest_drift_ = 0.0;
  if (!goes_on(arena, motion)) start(arena);
  deformed_.begin(arena);
}

/// How fast the balls of clusters go against their anchors and the means of their bodies, and the
/// fastest of all.
void NearSearch::see_speeds(const Arena& arena, const Motion& motion) {
  ++looks_;
  int body = -1;
  Vec3 mean = Vec3::Zero();
  for (std::size_t c = 0; c < speeds_.size(); ++c) {
    const Cluster& cluster = arena.clusters.all[c];
    if (cluster.body != body) {
      body = cluster.body;
      mean = mean_velocity(arena, motion, body);
    }
    const Vec3& anchor = motion.v[at(cluster.anchor)];
    double most = 0.0;
    for (const int i : arena.clusters.phyxels_of(cluster))
      most = std::max(most, (motion.v[at(i)] - anchor).squaredNorm());
    speeds_[c] = cluster.spread * std::sqrt(most);
    drifts_[c] = (anchor - mean).norm() + speeds_[c];
    ahead_[c] = gone_[c] + h_ * drifts_[c];
    fastest_ = std::max(fastest_, anchor.norm() + speeds_[c]);
    fastest_drift_ = std::max(fastest_drift_, drifts_[c]);
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
  const double near = kNearGaps * keep_;
  if (!(2.0 * h_ * fastest_ + near <= outer_.margin))
    list_blocks(arena, motion, false, fastest_, outer_);
  for (Block& block : outer_.blocks) {
    if (block.free >= approach(arena, motion, block) + near) continue;
    const double within = tight_approach(arena, motion, block) + near;
    if (block.free < within) take(arena, motion, within, block);
  }
  look_within_bodies(arena, motion);
  for (const int ball : active_) balls_.velocities[at(ball)] = at_ball(arena, motion.v, ball);
}

/// What two clusters of one body have gone against its mean, m.
double NearSearch::spent_by(const std::array<int, 2>& who) const {
  return gone_[at(who[0])] + gone_[at(who[1])];
}

/// Self-contact. Two balls of a body come no nearer than both go against its mean velocity.
void NearSearch::look_within_bodies(const Arena& arena, const Motion& motion) {
  const double near = kNearGaps * keep_;
  if (!(2.0 * h_ * fastest_drift_ + near <= inner_.margin)) {
    for (Block& block : inner_.blocks) {
      const double spent = spent_by(block.who);
      block.free -= spent - block.spent;
      block.unlisted -= spent - block.spent;
      block.spent = spent;
    }
    list_blocks(arena, motion, true, fastest_drift_, inner_);
    inner_keys_.clear();
    for (Block& block : inner_.blocks) {
      block.spent = spent_by(block.who);
      inner_keys_.push_back(block.free + block.spent);
    }
  }
  for (std::size_t k = 0; k < inner_keys_.size(); ++k) {
    Block& block = inner_.blocks[k];
    const double ahead = ahead_[at(block.who[0])] + ahead_[at(block.who[1])];
    if (inner_keys_[k] >= ahead + near) continue;
    const double spent = spent_by(block.who);
    block.free = inner_keys_[k] - spent;
    block.unlisted -= spent - block.spent;
    block.spent = spent;
    const double within = std::min(ahead - spent, tight_approach(arena, motion, block)) + near;
    if (block.free < within) bound_from_rest(arena, motion, within, block);
    if (block.free < within) take(arena, motion, within, block);
    inner_keys_[k] = block.free + spent;
  }
}

void NearSearch::end(const Arena& arena, const Motion& motion) {
  const StageScope timed("find_near");
  outer_.margin -= 2.0 * h_ * fastest_;
  inner_.margin -= 2.0 * h_ * fastest_drift_;
  for (Block& block : outer_.blocks) {
    const double nearer = approach(arena, motion, block);
    block.free -= nearer;
    block.unlisted -= nearer;
  }
  gone_ = ahead_;
  expected_ = motion.x;
  for (std::size_t i = 0; i < expected_.size(); ++i) expected_[i] += h_ * motion.v[i];
  expected_solids_.clear();
  for (std::size_t s = 0; s < motion.solids.size(); ++s)
    expected_solids_.emplace_back(motion.solids[s].position + h_ * motion.solid_velocities[s]);
}

/// Clusters and solids that come nearer than the margin before it is used up.
void NearSearch::list_blocks(const Arena& arena, const Motion& motion, bool of_one_body,
                             double fastest, BlockList& list) {
  const double near = kNearGaps * keep_;
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

/// What is known of a block of one body at rest: the least gap, and with `list` all that are small.
NearSearch::AtRest& NearSearch::at_rest(const Arena& arena, Block& block, bool list) {
  if (block.rest == nullptr) block.rest = &at_rest_[block.who];
  AtRest& out = *block.rest;
  if (list ? out.unlisted > 0.0 : out.known) return out;
  out.known = true;
  const double far = kListedAtRest * arena.most_radius;
  out.least = far;
  for (const int a : arena.clusters.balls_of(arena.clusters.all[at(block.who[0])]))
    for (const int b : arena.clusters.balls_of(arena.clusters.all[at(block.who[1])])) {
      const double both = arena.radius[at(a)] + arena.radius[at(b)];
      const double reach = both + (list ? far : out.least);
      const double squared = (arena.rest_center[at(a)] - arena.rest_center[at(b)]).squaredNorm();
      if (!(squared < reach * reach) || arena.belong_together(a, b)) continue;
      const double gap = std::sqrt(squared) - both;
      out.least = std::min(out.least, gap);
      if (list) out.listed.emplace_back(gap, Pair{std::max(a, b), std::min(a, b), -1, -1});
    }
  std::sort(out.listed.begin(), out.listed.end());
  if (list) out.unlisted = far;
  return out;
}

/// Of two clusters of one body: gaps follow from those at rest but for what the body is deformed.
void NearSearch::bound_from_rest(const Arena& arena, const Motion& motion, double within,
                                 Block& block) {
  if (block.looked == step_) return;
  carried(arena, motion, block.who[0]);
  const GapBound bound =
      deformed_.gap_bound(carried(arena, motion, block.who[1]), block.who[0], block.who[1]);
  block.free = std::max(block.free, bound.least(at_rest(arena, block, false).least));
  if (block.free >= within || block.unlisted >= within) return;
  const double unlisted =
      std::min(bound.least(kListedAtRest * arena.most_radius), kPairStepsAhead * within);
  if (unlisted < within) return;
  block.listed.clear();
  block.gaps.clear();
  for (const auto& [gap, pair] : at_rest(arena, block, true).listed) {
    if (bound.least(gap) >= unlisted) break;
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
    if (pair.other >= 0) {
      carry(arena, motion, pair.other);
      block.gaps.push_back((balls_.centers[at(pair.ball)] - balls_.centers[at(pair.other)]).norm() -
                           arena.radius[at(pair.ball)] - arena.radius[at(pair.other)]);
    } else {
      block.gaps.push_back(parting_of(arena, motion, balls_, pair).gap);
    }
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
