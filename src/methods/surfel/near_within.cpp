// Self-contact: which clusters of one body may come near each other.
#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/SVD>

#include "near.h"

namespace repose::surfel {

namespace {

/// Blocks of a body are listed ahead by so much, of the largest radius.
constexpr double kAhead = 3.0;
constexpr double kStepsAhead = 4.0;  // or by what it may differ in so many steps
/// A body stands as at rest again where it differs from that by less than this share of how far
/// blocks are listed ahead.
constexpr double kNearRest = 0.5;

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

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
  body.at_rest.assign(body.blocks.size(), std::numeric_limits<double>::quiet_NaN());
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
  start_following(body);  // bounds as of now
  const int first = arena.first_phyxel[at(body.body)];
  for (std::size_t i = 0; i < body.standing.size(); ++i)
    body.standing[i] << motion.x[at(first) + i], 0.0;
  Standing all;
  for (std::size_t c = body.first; c < body.last; ++c) {
    const int cluster = static_cast<int>(c);
    all.clusters.push_back(cluster);
    all.anchors.push_back(motion.x[at(arena.clusters.all[c].anchor)]);
    all.reaches.push_back(deformed_.reach(carried(arena, motion, cluster), cluster));
  }
  begin_within(arena, motion, body);
  const double step = 2.0 * body.spread * most_at_end(arena, body) + near_gap();
  list_within(arena, all, std::max(kAhead * arena.most_radius, kStepsAhead * step), body);
  body.stands_at_rest = false;
  body.followed = step_;  // what is listed of blocks stays
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

void NearSearch::look_within(const Arena& arena, const Motion& motion, Within& body) {
  body.follows = false;
  // balls differ by no more than the spread of their weights from what phyxels do
  const auto differs = [&] { return 2.0 * body.spread * most_at_end(arena, body) + near_gap(); };
  const double now = differs();
  if (now <= std::min(body.least, body.blocks.margin)) return;
  if (body.blocks.margin < now) {
    stand_anew(arena, motion, body);
  }
  start_following(body);
  body.follows = true;
  for (std::size_t k = 0; k < body.blocks.size(); ++k) follow(arena, motion, k, body);
  body.least = *std::min_element(body.key.begin(), body.key.end());
}

/// Blocks that were not followed until now have the bounds of the standing.
void NearSearch::start_following(Within& body) const {
  if (body.followed == step_) return;
  body.followed = step_;
  const double differs = 2.0 * body.spread * body.most_at_start;
  for (std::size_t k = 0; k < body.blocks.size(); ++k) {
    const Block block{body.blocks, k};
    if (body.kept == step_ - 1) {
      block.free() = std::max(block.free(), body.key[k] - differs);
      continue;
    }
    block.free() = body.key[k] - differs;
    if (body.blocks.detail[k] < 0) continue;
    block.detail().listed.clear();
    block.detail().gaps.clear();
    block.set_unlisted(block.free());
  }
}

/// The bound of a block falls with what its clusters go, and is found anew where that is used up.
void NearSearch::follow(const Arena& arena, const Motion& motion, std::size_t k, Within& body) {
  const Block block{body.blocks, k};
  const double within = (body.blocks.nearer[k] = approach(arena, motion, block.who())) + near_gap();
  if (block.free() >= within) return;
  const double at_rest = least_at_rest(arena, k, body);
  if (body.stands_at_rest) body.key[k] = std::max(body.key[k], at_rest);
  const Deformed::Places places{arena, rest_, x_, balls_.centers};
  const GapBound coarse = deformed_.coarse_bound(places, block.who()[0], block.who()[1]);
  block.free() = std::max(block.free(), coarse.least(at_rest));
  if (block.free() >= within) return;
  bound_from_rest(arena, motion, within, at_rest, block);
  if (block.free() < within) take(arena, motion, within, block);
}

}  // namespace repose::surfel
