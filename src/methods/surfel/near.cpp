#include "near.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "repose/base/at.h"
#include "repose/base/stage_clock.h"

#include "motion.h"

namespace repose::surfel {

namespace {

Vec3 mean_of(const std::vector<Vec3>& v, int first, int last) {
  Vec3 out = Vec3::Zero();
  for (int i = first; i < last; ++i) out += v[at(i)];
  return out / std::max(1, last - first);
}

/// Calls with every phyxel whose velocity a cluster's speed is made from; some of them twice.
template <class Visit>
void read_by(const Arena& arena, const Cluster& cluster, Visit visit) {
  visit(cluster.anchor);
  for (const Neighbour& n : arena.near(cluster.anchor)) visit(n.j);
  for (const int i : arena.clusters.phyxels_of(cluster)) visit(i);
}

/// The clusters that read each phyxel, one row after the other.
void list_readers(const Arena& arena, std::vector<int>& first, std::vector<int>& readers) {
  first.assign(at(arena.phyxels()) + 1, 0);
  for (const Cluster& cluster : arena.clusters.all)
    read_by(arena, cluster, [&](int i) { ++first[at(i) + 1]; });
  for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
  std::vector<int> next(first.begin(), first.end() - 1);
  readers.resize(at(first.back()));
  for (std::size_t c = 0; c < arena.clusters.size(); ++c)
    read_by(arena, arena.clusters.all[c],
            [&](int i) { readers[at(next[at(i)]++)] = static_cast<int>(c); });
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
  const Pose& pose = motion.solids[at(pair.solid)].world_from_body;
  const Vec3 point = pose.inverse() * center;
  const collide::Plane plane = arena.solids[at(pair.solid)].obstacle->plane(point, pair.piece);
  out.normal = pose.turn(plane.normal);
  out.gap = plane.gap(point) - radius;
  return out;
}

void NearSearch::carry(const Arena& arena, int ball) {
  if (carried_[at(ball)] == step_) return;
  carried_[at(ball)] = step_;
  const int cluster = cluster_of_[at(ball)];
  balls_.centers[at(ball)] = cluster >= 0 && placed_in_[at(cluster)] == step_
                                 ? Vec3(placed_[at(slot_of_[at(ball)])].head<3>())
                                 : at_ball(arena, x_, ball);
}

/// The places of a cluster's balls, among others.
Deformed::Places NearSearch::carried(const Arena& arena, int cluster) {
  const Deformed::Places out{arena, rest_, x_, placed_};
  if (placed_in_[at(cluster)] == step_) return out;
  placed_in_[at(cluster)] = step_;
  const Clusters& clusters = arena.clusters;
  const Cluster& all = clusters.all[at(cluster)];
  local_.clear();
  for (const int i : clusters.phyxels_of(all)) local_.push_back(x_[at(i)]);
  for (auto slot = at(all.first_ball); slot < at(all.last_ball); ++slot) {
    Vec4 sum = Vec4::Zero();
    for (auto k = at(clusters.first_carrier[slot]); k < at(clusters.first_carrier[slot + 1]); ++k)
      sum += clusters.weights[k] * local_[clusters.carriers[k]];
    placed_[slot] = sum;
  }
  return out;
}

void NearSearch::activate(const Pair& pair) {
  for (const int ball : {pair.ball, pair.other}) {
    if (ball < 0 || activated_[at(ball)] == step_) continue;
    activated_[at(ball)] = step_;
    active_.push_back(ball);
  }
}

Parting NearSearch::known(const Arena& arena, const Motion& motion, const Pair& pair) {
  carry(arena, pair.ball);
  if (pair.other >= 0) carry(arena, pair.other);
  activate(pair);
  return parting_of(arena, motion, balls_, pair);
}

double most_about(const Arena& arena, const std::vector<Vec4>& rest, const Cluster& cluster,
                  const std::vector<Vec4>& ways, int first) {
  const Vec4 anchor = ways[at(cluster.anchor - first)], at_rest = rest[at(cluster.anchor)];
  Vec4 l0 = Vec4::Zero(), l1 = Vec4::Zero(), l2 = Vec4::Zero();
  for (const Neighbour& n : arena.near(cluster.anchor)) {
    const Vec4 against = ways[at(n.j - first)] - anchor;
    l0 += n.slope[0] * against;
    l1 += n.slope[1] * against;
    l2 += n.slope[2] * against;
  }
  double most = 0.0;
  for (const int i : arena.clusters.phyxels_of(cluster)) {
    const Vec4 way = rest[at(i)] - at_rest;
    const Vec4 left = (ways[at(i - first)] - anchor) - ((way[0] * l0 + way[1] * l1) + way[2] * l2);
    most = std::max(most, left.squaredNorm());
  }
  const double linear = std::sqrt(l0.squaredNorm() + l1.squaredNorm() + l2.squaredNorm());
  return linear * cluster.reach_at_rest + cluster.spread * std::sqrt(most);
}

/// Everything is where the last step left it, so that what is known still holds.
bool NearSearch::goes_on(const Arena& arena, const Motion& motion) const {
  if (clusters_ != arena.clusters.size() || balls_.centers.size() != at(arena.balls()))
    return false;
  if (expected_ != motion.x || expected_solids_.size() != motion.solids.size()) return false;
  for (std::size_t s = 0; s < motion.solids.size(); ++s) {
    const Pose &then = expected_solids_[s], &now = motion.solids[s].world_from_body;
    if (then.position != now.position || then.rotation.coeffs() != now.rotation.coeffs())
      return false;
  }
  return true;
}

/// Nothing is known of the places.
void NearSearch::start(const Arena& arena) {
  const auto balls = at(arena.balls());
  balls_.centers.assign(balls, Vec3::Zero());
  balls_.velocities.assign(balls, Vec3::Zero());
  carried_.assign(balls, -1);
  activated_.assign(balls, -1);
  outer_ = Blocks();
  at_rest_.clear();
  clusters_ = arena.clusters.size();
  speeds_.assign(clusters_, 0.0);
  seen_.assign(clusters_, -1);
  paces_.assign(clusters_, 0.0);
  drifts_.assign(clusters_, Vec4::Zero());
  paces_seen_.assign(clusters_, -1);
  changed_.assign(clusters_, -1);
  moved_.assign(balls, -1);
  placed_in_.assign(clusters_, -1);
  placed_.assign(arena.clusters.balls.size(), Vec4::Zero());
  cluster_of_.assign(balls, -1);
  slot_of_.assign(balls, -1);
  for (std::size_t c = 0; c < clusters_; ++c) {
    const Cluster& cluster = arena.clusters.all[c];
    for (int slot = cluster.first_ball; slot < cluster.last_ball; ++slot) {
      const auto ball = at(arena.clusters.balls[at(slot)]);
      cluster_of_[ball] = static_cast<int>(c);
      slot_of_[ball] = slot;
    }
  }
  list_readers(arena, first_reader_, readers_);
  pad(arena.rest, rest_);
  spread_.assign(arena.friction.size(), 0.0);
  for (const Cluster& cluster : arena.clusters.all)
    spread_[at(cluster.body)] = std::max(spread_[at(cluster.body)], cluster.spread);
  start_within(arena);
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
  if (!goes_on(arena, motion)) start(arena);
  deformed_.begin(arena);
  pad(motion.x, x_);
  all_changed_ = looks_ + 1;
  for (Within& body : within_) begin_within(arena, motion, body);
}

/// Which velocities the last look did not see yet.
void NearSearch::see_changes(const Motion& motion) {
  if (all_changed_ == looks_) {
    pad(motion.v, v_);
    return;
  }
  for (std::size_t i = 0; i < motion.v.size(); ++i) {
    Vec4 v;
    v << motion.v[i], 0.0;
    if (v == v_[i]) continue;
    v_[i] = v;
    for (int k = first_reader_[i]; k < first_reader_[i + 1]; ++k)
      changed_[at(readers_[at(k)])] = looks_;
  }
}

/// What look `seen` has found of a cluster still holds.
bool NearSearch::is_known(long seen, int cluster) const {
  return seen >= all_changed_ && seen >= changed_[at(cluster)];
}

/// The fastest of all balls. Where nothing stands still, all may go together.
void NearSearch::see_fastest(const Arena& arena, const Motion& motion) {
  const Vec3 all =
      arena.solids.empty() ? mean_of(motion.v, 0, arena.phyxels()) : Vec3(Vec3::Zero());
  for (std::size_t b = 0; b < spread_.size(); ++b) {
    if (spread_[b] == 0.0) continue;
    const int first = arena.first_phyxel[b], last = arena.first_phyxel[b + 1];
    const Vec3 mean = mean_of(motion.v, first, last);
    double most = 0.0;
    for (int i = first; i < last; ++i)
      most = std::max(most, (motion.v[at(i)] - mean).squaredNorm());
    fastest_ = std::max(fastest_, (mean - all).norm() + spread_[b] * std::sqrt(most));
  }
  for (std::size_t s = 0; s < arena.solids.size(); ++s)
    fastest_ = std::max(fastest_, fastest(arena.solids[s], motion.solids[s]));
}

/// m/s; how fast a ball of a cluster goes against its anchor at most, a point of a solid against
/// its centre.
double NearSearch::speed_of(const Arena& arena, const Motion& motion, int who) {
  if (at(who) >= clusters_) {
    const auto s = at(who) - clusters_;
    return fastest(arena.solids[s], motion.solids[s]) - motion.solids[s].velocity.norm();
  }
  if (!is_known(seen_[at(who)], who)) {
    seen_[at(who)] = looks_;
    speeds_[at(who)] = most_about(arena, rest_, arena.clusters.all[at(who)], v_, 0);
  }
  return speeds_[at(who)];
}

Vec4 NearSearch::velocity_of(const Arena& arena, const Motion& motion, int who) const {
  if (at(who) < clusters_) return v_[at(arena.clusters.all[at(who)].anchor)];
  Vec4 out;
  out << motion.solids[at(who) - clusters_].velocity, 0.0;
  return out;
}

/// m; how much nearer the two of a block may come in the step.
double NearSearch::approach(const Arena& arena, const Motion& motion,
                            const std::array<int, 2>& who) {
  const Vec4 way = velocity_of(arena, motion, who[0]) - velocity_of(arena, motion, who[1]);
  return h_ * (way.norm() + (speed_of(arena, motion, who[0]) + speed_of(arena, motion, who[1])));
}

void NearSearch::look(const Arena& arena, const Motion& motion) {
  const StageScope timed("find_near");
  ++looks_;
  see_changes(motion);
  see_fastest(arena, motion);
  look_between(arena, motion);
  for (Within& body : within_) look_within(arena, motion, body);
  for (const int ball : active_) {
    if (is_known(moved_[at(ball)], cluster_of_[at(ball)])) continue;
    moved_[at(ball)] = looks_;
    balls_.velocities[at(ball)] = at_ball(arena, v_, ball);
  }
}

/// Different bodies, and bodies and solids.
void NearSearch::look_between(const Arena& arena, const Motion& motion) {
  const double near = near_gap();
  if (!(2.0 * h_ * fastest_ + near <= outer_.margin)) list_blocks(arena, motion);
  for (std::size_t k = 0; k < outer_.size(); ++k) {
    const double within = (outer_.nearer[k] = approach(arena, motion, outer_.who[k])) + near;
    if (outer_.free[k] < within) take(arena, motion, within, Block{outer_, k});
  }
}

void NearSearch::end(const Motion& motion) {
  const StageScope timed("find_near");
  outer_.margin -= 2.0 * h_ * fastest_;
  for (std::size_t k = 0; k < outer_.size(); ++k) outer_.end_step(k);
  for (Within& body : within_)
    if (body.follows) {
      for (const std::size_t k : body.awake) body.blocks.end_step(k);
      body.asleep_gone += body.asleep_nearer;
      body.kept = step_;
    }
  expected_ = motion.x;
  expected_solids_.clear();
  for (const rigid::RigidMotion& solid : motion.solids)
    expected_solids_.push_back(solid.world_from_body);
}

}  // namespace repose::surfel
