#include "near.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "repose/base/stage_clock.h"

#include "motion.h"

namespace repose::surfel {

namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

Vec3 mean_of(const std::vector<Vec3>& v, int first, int last) {
  Vec3 out = Vec3::Zero();
  for (int i = first; i < last; ++i) out += v[at(i)];
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
  if (clusters_ != arena.clusters.size() || balls_.centers.size() != at(arena.balls()))
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
  outer_ = inner_ = Blocks();
  at_rest_.clear();
  clusters_ = arena.clusters.size();
  speeds_.assign(clusters_ + arena.solids.size(), 0.0);
  anchors_.assign(speeds_.size(), Vec4::Zero());
  reach_.assign(clusters_, 0.0);
  grown_.assign(clusters_, std::numeric_limits<double>::infinity());
  pad(arena.rest, rest_);
  v_.clear();
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
  looked_ = false;
  if (!goes_on(arena, motion)) start(arena);
  deformed_.begin(arena);
}

/// Marks the phyxels that go otherwise than at the last look of the step; false: none does.
bool NearSearch::see_changes(const Arena& arena, const Motion& motion) {
  const bool first = !looked_;
  looked_ = true;
  v_.resize(motion.v.size(), Vec4::Zero());
  changed_.assign(motion.v.size(), 1);
  bool any = first;
  for (std::size_t i = 0; i < v_.size(); ++i) {
    if (!first && v_[i].head<3>() == motion.v[i]) {
      changed_[i] = 0;
      continue;
    }
    any = true;
    v_[i] << motion.v[i], 0.0;
  }
  for (std::size_t s = 0; s < arena.solids.size(); ++s)
    anchors_[clusters_ + s] << motion.solid_velocities[s], 0.0;
  return any;
}

/// m/s; how fast a ball of the cluster goes against its anchor at most. Velocities about the anchor
/// are linear but for a rest, and the weights of balls reproduce the linear part.
double NearSearch::speed_about(const Arena& arena, const Cluster& cluster) const {
  const Vec4 anchor = v_[at(cluster.anchor)], rest = rest_[at(cluster.anchor)];
  Vec4 l0 = Vec4::Zero(), l1 = Vec4::Zero(), l2 = Vec4::Zero();
  for (const Neighbour& n : arena.near(cluster.anchor)) {
    const Vec4 against = v_[at(n.j)] - anchor;
    l0 += n.slope[0] * against;
    l1 += n.slope[1] * against;
    l2 += n.slope[2] * against;
  }
  double most = 0.0;
  for (const int i : arena.clusters.phyxels_of(cluster)) {
    const Vec4 way = rest_[at(i)] - rest;
    const Vec4 left = (v_[at(i)] - anchor) - ((way[0] * l0 + way[1] * l1) + way[2] * l2);
    most = std::max(most, left.squaredNorm());
  }
  const double linear = std::sqrt(l0.squaredNorm() + l1.squaredNorm() + l2.squaredNorm());
  return linear * cluster.reach_at_rest + cluster.spread * std::sqrt(most);
}

void NearSearch::see_speeds(const Arena& arena, const Motion& motion) {
  if (!see_changes(arena, motion)) return;
  for (std::size_t c = 0; c < clusters_; ++c) {
    const Cluster& cluster = arena.clusters.all[c];
    const auto phyxels = arena.clusters.phyxels_of(cluster);
    const auto near = arena.near(cluster.anchor);
    if (!changed_[at(cluster.anchor)] &&
        std::none_of(phyxels.begin(), phyxels.end(), [&](int i) { return changed_[at(i)] != 0; }) &&
        std::none_of(near.begin(), near.end(), [&](const Neighbour& n) { return changed_[at(n.j)] != 0; }))
      continue;
    anchors_[c] = v_[at(cluster.anchor)];
    speeds_[c] = speed_about(arena, cluster);
  }
  see_fastest(arena, motion);
}

/// The fastest of all, and against the means of bodies. Where nothing stands still, all may go
/// together.
void NearSearch::see_fastest(const Arena& arena, const Motion& motion) {
  const Vec3 all = arena.solids.empty() ? mean_of(motion.v, 0, arena.phyxels()) : Vec3(Vec3::Zero());
  int body = -1;
  Vec3 mean = Vec3::Zero();
  for (std::size_t c = 0; c < clusters_; ++c) {
    const Cluster& cluster = arena.clusters.all[c];
    if (cluster.body != body) {
      body = cluster.body;
      mean = mean_of(motion.v, arena.first_phyxel[at(body)], arena.first_phyxel[at(body) + 1]);
    }
    const Vec3& anchor = motion.v[at(cluster.anchor)];
    fastest_ = std::max(fastest_, (anchor - all).norm() + speeds_[c]);
    fastest_drift_ = std::max(fastest_drift_, (anchor - mean).norm() + speeds_[c]);
  }
  for (const Vec3& v : motion.solid_velocities) fastest_ = std::max(fastest_, v.norm());
}

void NearSearch::look(const Arena& arena, const Motion& motion) {
  const StageScope timed("find_near");
  see_speeds(arena, motion);
  look_at(arena, motion, false, outer_);
  look_at(arena, motion, true, inner_);
  for (const int ball : active_) balls_.velocities[at(ball)] = at_ball(arena, motion.v, ball);
}

/// Different bodies, or self-contact: of one body gaps follow from those at rest where it is hardly
/// deformed.
void NearSearch::look_at(const Arena& arena, const Motion& motion, bool of_one_body, Blocks& list) {
  const double near = near_gap(), fastest = of_one_body ? fastest_drift_ : fastest_;
  if (!(2.0 * h_ * fastest + near <= list.margin))
    list_blocks(arena, motion, of_one_body, fastest, list);
  for (std::size_t k = 0; k < list.size(); ++k) {
    const auto first = at(list.who[k][0]), second = at(list.who[k][1]);
    const double nearer =
        h_ * ((anchors_[first] - anchors_[second]).norm() + (speeds_[first] + speeds_[second]));
    list.nearer[k] = nearer;
    if (list.free[k] >= nearer + near) continue;
    const Block block{list, k};
    if (of_one_body) bound_from_rest(arena, motion, nearer + near, block);
    if (list.free[k] < nearer + near) take(arena, motion, nearer + near, block);
  }
}

void NearSearch::end(const Arena& arena, const Motion& motion) {
  const StageScope timed("find_near");
  outer_.margin -= 2.0 * h_ * fastest_;
  inner_.margin -= 2.0 * h_ * fastest_drift_;
  for (Blocks* list : {&outer_, &inner_})
    for (std::size_t k = 0; k < list->size(); ++k) {
      list->free[k] -= list->nearer[k];
      list->gone[k] += list->nearer[k];
    }
  for (std::size_t c = 0; c < clusters_; ++c) {
    reach_[c] += h_ * speeds_[c];
    grown_[c] += h_ * speeds_[c];
  }
  expected_ = motion.x;
  for (std::size_t i = 0; i < expected_.size(); ++i) expected_[i] += h_ * motion.v[i];
  expected_solids_.clear();
  for (std::size_t s = 0; s < arena.solids.size(); ++s)
    expected_solids_.emplace_back(motion.solids[s].position + h_ * motion.solid_velocities[s]);
}

}  // namespace repose::surfel
