#include "near.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "repose/base/stage_clock.h"

#include "elasticity.h"
#include "motion.h"

namespace repose::surfel {

namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

Vec3 mean_velocity(const Arena& arena, const Motion& motion, int body) {
  const int first = arena.first_phyxel[at(body)], last = arena.first_phyxel[at(body) + 1];
  Vec3 out = Vec3::Zero();
  for (int i = first; i < last; ++i) out += motion.v[at(i)];
  return out / std::max(1, last - first);
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
  grown_.assign(speeds_.size(), std::numeric_limits<double>::infinity());
  tightened_.assign(speeds_.size(), -1);
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
  const double near = near_gap();
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
  const double near = near_gap();
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
  for (std::size_t c = 0; c < reach_.size(); ++c) {
    reach_[c] += h_ * speeds_[c];
    grown_[c] += h_ * speeds_[c];
  }
  expected_ = motion.x;
  for (std::size_t i = 0; i < expected_.size(); ++i) expected_[i] += h_ * motion.v[i];
  expected_solids_.clear();
  for (std::size_t s = 0; s < motion.solids.size(); ++s)
    expected_solids_.emplace_back(motion.solids[s].position + h_ * motion.solid_velocities[s]);
}

}  // namespace repose::surfel
