// Self-contact: which clusters of one body may come near each other.
#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/LU>
#include <Eigen/SVD>

#include "repose/base/at.h"

#include "near.h"

namespace repose::surfel {

namespace {

/// Blocks of a body are listed ahead by so much, of the largest radius.
constexpr double kAhead = 3.0;
constexpr double kStepsAhead = 4.0;  // or by what it may differ in so many steps
/// A body stands as at rest again where it differs from that by less than this share of how far
/// blocks are listed ahead.
constexpr double kNearRest = 0.5;
/// Blocks with larger gaps than that sleep, of the largest radius.
constexpr double kAsleep = 1.0;
/// Once in so many steps, or where this share of the blocks awake has to be looked at, those that
/// would have to be within some steps are, too: they share the places of balls.
constexpr long kTogether = 4;
constexpr double kManyDue = 0.125;
constexpr double kSoon = 6.0;

/// A rotation near the one that takes `from` to `to` about their means; any would do, the nearest
/// leaves the least.
Mat3 rotation_between(const std::vector<Vec4>& from, const Vec4& from_mean,
                      const std::vector<Vec3>& to, int first, const Vec3& to_mean) {
  Mat3 moments = Mat3::Zero();
  for (std::size_t i = 0; i < from.size(); ++i)
    moments += (to[at(first) + i] - to_mean) * (from[i] - from_mean).head<3>().transpose();
  const Eigen::JacobiSVD<Mat3> svd(moments, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Mat3 u = svd.matrixU();
  if (u.determinant() * svd.matrixV().determinant() < 0.0) u.col(2) = -u.col(2);
  const Mat3 turn = u * svd.matrixV().transpose();
  if (!turn.allFinite()) return Mat3::Identity();
  return Eigen::Quaterniond(turn).normalized().toRotationMatrix();
}

}  // namespace

void NearSearch::start_within(const Arena& arena) {
  within_.clear();
  for (std::size_t c = 0; c < clusters_;) {
    Within body;
    body.body = arena.clusters.all[c].body;
    body.first = c;
    for (; c < clusters_ && arena.clusters.all[c].body == body.body; ++c)
      body.spread = std::max(body.spread, arena.clusters.all[c].spread);
    body.last = c;
    if (body.last - body.first < 2) continue;
    stand_at_rest(arena, body);
    within_.push_back(std::move(body));
  }
}

/// Blocks of the body as its clusters stand; what is known of one stays.
void NearSearch::list_within(const Arena& arena, const Standing& all, double margin, Within& body) {
  std::vector<Found> found;
  find_clusters(arena, all, true, margin, found);
  put_blocks(std::move(found), body.blocks);
  body.blocks.margin = margin;
  body.key = body.blocks.free;
  body.least = -std::numeric_limits<double>::infinity();  // until they have been looked at
  body.followed = body.kept = -1;
}

/// Compared with what it is at rest from now on.
void NearSearch::stand_at_rest(const Arena& arena, Within& body) {
  Standing all;
  for (std::size_t c = body.first; c < body.last; ++c) {
    const Cluster& cluster = arena.clusters.all[c];
    all.clusters.push_back(static_cast<int>(c));
    all.anchors.push_back(arena.rest[at(cluster.anchor)]);
    all.reaches.push_back(cluster.reach_at_rest + cluster.most_radius);
  }
  body.standing.assign(rest_.begin() + arena.first_phyxel[at(body.body)],
                       rest_.begin() + arena.first_phyxel[at(body.body) + 1]);
  for (double& free : body.blocks.free) free = -std::numeric_limits<double>::infinity();
  list_within(arena, all, kAhead * arena.most_radius, body);
  body.stands_at_rest = true;
}

/// The body as it stands at the step's start is what is compared with from now on, or its rest if
/// it is near that.
void NearSearch::stand_anew(const Arena& arena, const Motion& motion, Within& body) {
  if (!body.stands_at_rest) {
    const auto first = rest_.begin() + arena.first_phyxel[at(body.body)];
    Within rest;
    rest.body = body.body;
    rest.standing.assign(first, first + static_cast<std::ptrdiff_t>(body.standing.size()));
    begin_within(arena, motion, rest);
    if (2.0 * body.spread * most_at_end(arena, rest) < kNearRest * kAhead * arena.most_radius) {
      stand_at_rest(arena, body);
      begin_within(arena, motion, body);
      return;
    }
  }
  start_following(arena, body);
  settle(body);  // bounds as of now
  const int first = arena.first_phyxel[at(body.body)];
  for (std::size_t i = 0; i < body.standing.size(); ++i)
    body.standing[i] << motion.x[at(first) + i], 0.0;
  Standing all;
  for (std::size_t c = body.first; c < body.last; ++c) {
    const int cluster = static_cast<int>(c);
    all.clusters.push_back(cluster);
    all.anchors.push_back(motion.x[at(arena.clusters.all[c].anchor)]);
    all.reaches.push_back(deformed_.reach(carried(arena, cluster), cluster));
  }
  begin_within(arena, motion, body);
  const double step = 2.0 * body.spread * most_at_end(arena, body) + near_gap();
  list_within(arena, all, std::max(kAhead * arena.most_radius, kStepsAhead * step), body);
  body.stands_at_rest = false;
  body.followed = step_;  // what is listed of blocks stays
  put_to_sleep(arena, body);
}

/// How the phyxels differ from the standing at the step's start.
void NearSearch::begin_within(const Arena& arena, const Motion& motion, Within& body) const {
  const int first = arena.first_phyxel[at(body.body)];
  const std::size_t count = body.standing.size();
  Vec4 mean = Vec4::Zero();
  Vec3 now = Vec3::Zero();
  for (std::size_t i = 0; i < count; ++i) {
    mean += body.standing[i];
    now += motion.x[at(first) + i];
  }
  mean /= static_cast<double>(count);
  now /= static_cast<double>(count);
  const Mat3 turn = rotation_between(body.standing, mean, motion.x, first, now);
  body.start.resize(count);
  double most = 0.0;  // squared
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 way = (motion.x[at(first) + i] - now) - turn * (body.standing[i] - mean).head<3>();
    body.start[i] << way.x(), way.y(), way.z(), 0.0;
    most = std::max(most, body.start[i].squaredNorm());
  }
  body.most_at_start = std::sqrt(most);
  body.follows = false;
  body.rigid = rigid_of(arena, motion, body.body);
}

/// m; by how much phyxels differ from the standing at most until the step's end: they go straight.
double NearSearch::most_at_end(const Arena& arena, const Within& body) const {
  const std::size_t first = at(arena.first_phyxel[at(body.body)]);
  Vec4 mean = Vec4::Zero();
  for (std::size_t i = 0; i < body.start.size(); ++i) mean += v_[first + i];
  mean /= static_cast<double>(body.start.size());
  double most = 0.0;  // squared
  for (std::size_t i = 0; i < body.start.size(); ++i)
    most = std::max(most, (body.start[i] + h_ * (v_[first + i] - mean)).squaredNorm());
  return std::max(body.most_at_start, std::sqrt(most));
}

Vec4 NearSearch::Rigid::at(const Vec4& place) const {
  const Vec4 way = place - center;
  Vec4 out = velocity;
  out.head<3>() += turning.cross(Vec3(way.head<3>()));
  return out;
}

/// The rigid motion of a body that has its momentum and angular momentum, masses taken as equal;
/// any would do.
NearSearch::Rigid NearSearch::rigid_of(const Arena& arena, const Motion& motion, int body) const {
  const auto first = at(arena.first_phyxel[at(body)]), last = at(arena.first_phyxel[at(body) + 1]);
  Rigid out;
  Vec3 mean = Vec3::Zero(), velocity = Vec3::Zero();
  for (std::size_t i = first; i < last; ++i) {
    mean += motion.x[i];
    velocity += motion.v[i];
  }
  mean /= static_cast<double>(last - first);
  velocity /= static_cast<double>(last - first);
  Vec3 spin = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();
  for (std::size_t i = first; i < last; ++i) {
    const Vec3 way = motion.x[i] - mean;
    spin += way.cross(motion.v[i] - velocity);
    inertia += way.squaredNorm() * Mat3::Identity() - way * way.transpose();
  }
  out.center << mean, 0.0;
  out.velocity << velocity, 0.0;
  const Vec3 turning = inertia.inverse() * spin;
  if (turning.allFinite()) out.turning = turning;
  return out;
}

/// How fast the balls of the body's clusters go, but for its rigid motion; and how far the fastest
/// two may come nearer in the step.
void NearSearch::see_paces(const Arena& arena, Within& body) {
  const auto first = at(arena.first_phyxel[at(body.body)]);
  strained_.resize(body.standing.size());
  for (std::size_t i = 0; i < strained_.size(); ++i)
    strained_[i] = v_[first + i] - body.rigid.at(x_[first + i]);
  double most = 0.0;
  for (std::size_t c = body.first; c < body.last; ++c) {
    if (!is_known(paces_seen_[c], static_cast<int>(c))) {
      paces_seen_[c] = looks_;
      const Cluster& cluster = arena.clusters.all[c];
      drifts_[c] = strained_[at(cluster.anchor) - first];
      paces_[c] = most_about(arena, rest_, cluster, strained_, static_cast<int>(first));
    }
    most = std::max(most, drifts_[c].norm() + paces_[c]);
  }
  body.asleep_nearer = 2.0 * h_ * most;
}

void NearSearch::look_within(const Arena& arena, const Motion& motion, Within& body) {
  body.follows = false;
  // balls differ by no more than the spread of their weights from what phyxels do
  const auto differs = [&] { return 2.0 * body.spread * most_at_end(arena, body) + near_gap(); };
  const double now = differs();
  if (now <= std::min(body.least, body.blocks.margin)) return;
  if (body.blocks.margin < now) stand_anew(arena, motion, body);
  start_following(arena, body);
  body.follows = true;
  see_paces(arena, body);
  if (body.asleep_least - body.asleep_gone < body.asleep_nearer + near_gap())
    wake(arena, motion, body);
  follow_awake(arena, motion, body);
  body.least = *std::min_element(body.key.begin(), body.key.end());
}

/// Blocks that were not followed until now have the bounds of the standing.
void NearSearch::start_following(const Arena& arena, Within& body) const {
  if (body.followed == step_) return;
  body.followed = step_;
  if (body.kept == step_ - 1) return;
  const double differs = 2.0 * body.spread * body.most_at_start;
  for (std::size_t k = 0; k < body.blocks.size(); ++k) {
    const Block block{body.blocks, k};
    block.free() = body.key[k] - differs;
    if (body.blocks.detail[k] < 0) continue;
    block.detail().listed.clear();
    block.detail().gaps.clear();
    block.set_unlisted(block.free());
  }
  put_to_sleep(arena, body);
}

/// Requires: the bounds of all blocks are those of the step's start.
void NearSearch::put_to_sleep(const Arena& arena, Within& body) const {
  body.woken = true;
  body.awake.clear();
  body.asleep.clear();
  body.asleep_gone = 0.0;
  body.asleep_least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < body.blocks.size(); ++k) {
    const double free = body.blocks.free[k];
    const bool sleeps = free >= kAsleep * arena.most_radius;
    (sleeps ? body.asleep : body.awake).push_back(k);
    if (sleeps) body.asleep_least = std::min(body.asleep_least, free);
  }
}

/// What those asleep have gone is taken from their bounds.
void NearSearch::settle(Within& body) {
  for (const std::size_t k : body.asleep) {
    body.blocks.free[k] -= body.asleep_gone;
    body.blocks.gone[k] += body.asleep_gone;
  }
  body.asleep_least -= body.asleep_gone;
  body.asleep_gone = 0.0;
}

/// m; how much nearer the two of a block of one body may come in the step.
double NearSearch::nearer_within(const std::array<int, 2>& who) const {
  const auto a = at(who[0]), b = at(who[1]);
  return h_ * ((drifts_[a] - drifts_[b]).norm() + (paces_[a] + paces_[b]));
}

/// Some of those asleep may come near in the step: all are looked at.
void NearSearch::wake(const Arena& arena, const Motion& motion, Within& body) {
  settle(body);
  for (const std::size_t k : body.asleep) {
    body.blocks.nearer[k] = nearer_within(body.blocks.who[k]);
    follow(arena, motion, k, kSoon, body);
  }
  put_to_sleep(arena, body);
}

/// The bounds of blocks fall with what their clusters go, and are found anew where that is used up.
void NearSearch::follow_awake(const Arena& arena, const Motion& motion, Within& body) {
  Blocks& blocks = body.blocks;
  const double near = near_gap();
  std::size_t due = 0;
  hot_.clear();
  for (const std::size_t k : body.awake) {
    const auto& who = blocks.who[k];
    if (body.woken || paces_seen_[at(who[0])] == looks_ || paces_seen_[at(who[1])] == looks_)
      blocks.nearer[k] = nearer_within(who);
    const double within = blocks.nearer[k] + near;
    if (blocks.free[k] >= within) continue;
    const Block block{blocks, k};
    if (blocks.detail[k] >= 0 && block.unlisted() >= within)
      hot_.push_back(k);
    else
      ++due;
  }
  body.woken = false;
  const bool many = static_cast<double>(due) > kManyDue * static_cast<double>(body.awake.size());
  const bool together = due > 0 && (many || step_ - body.together >= kTogether);
  if (together) body.together = step_;
  if (due > 0)
    for (const std::size_t k : body.awake) follow(arena, motion, k, together ? kSoon : 1.0, body);
  for (const std::size_t k : hot_) take(arena, motion, blocks.nearer[k] + near, Block{blocks, k});
}

/// Finds the bound of a block anew if it is used up within so many steps, and its pairs if they
/// come near in this one.
void NearSearch::follow(const Arena& arena, const Motion& motion, std::size_t k, double steps,
                        Within& body) {
  const Block block{body.blocks, k};
  const double nearer = body.blocks.nearer[k], within = nearer + near_gap();
  const double soon = steps * nearer + near_gap();
  if (block.free() < soon)
    block.free() = std::max(block.free(), body.key[k] - 2.0 * body.spread * body.most_at_start);
  if (block.free() >= soon) return;
  // what is listed is near, and nothing else
  if (body.blocks.detail[k] >= 0 && block.free() < within && block.unlisted() >= within) return;
  const AtRestBound& at_rest = at_rest_of(arena, block);
  if (body.stands_at_rest) body.key[k] = std::max(body.key[k], at_rest.least);
  bound_from_rest(arena, within, at_rest, block);
  if (block.free() < within) take(arena, motion, within, block);
}

}  // namespace repose::surfel
