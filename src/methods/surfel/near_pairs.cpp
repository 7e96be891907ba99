// Which balls of two clusters, and which balls of a cluster and a solid, are near each other.
#include <algorithm>
#include <cmath>
#include <limits>

#include "repose/base/at.h"
#include "repose/math/dense.h"
#include "repose/shape/cover.h"

#include "near.h"

namespace repose::surfel {

namespace {

/// Pairs of a block are listed ahead by so much, of the largest radius, or by so many steps.
constexpr double kPairsAhead = 0.25;
constexpr double kPairStepsAhead = 4.0;
/// Pairs of one body nearer at rest than this many of the largest radius are listed once, where
/// they are asked for.
constexpr double kListedAtRest = 1.0;

/// What rounding may add to the tilt of a direction, and to the distance of what belongs together.
constexpr double kSlack = 1e-9;

/// Balls of one body surely belong together if they are nearer at rest than so many sums of their
/// radii.
constexpr double kSurely = (1.0 - kSlack) * shape::kNearAtRest;

/// The plane that unit vectors are nearest to.
Directions directions_of(const std::vector<Vec3>& ways) {
  Directions out;
  if (ways.empty()) return out;
  Mat3 moments = Mat3::Zero();
  for (const Vec3& way : ways) moments += way * way.transpose();
  out.across = SymmetricEigen<Mat3>(moments).vectors.col(0);
  double tilt = 0.0;
  for (const Vec3& way : ways) tilt = std::max(tilt, std::fabs(way.dot(out.across)));
  out.tilt = tilt + kSlack;
  return out;
}

}  // namespace

/// What pairs of the block are at rest: gaps, and directions of those that are listed there.
const NearSearch::AtRestBound& NearSearch::at_rest_of(const Arena& arena, const Block& block) {
  AtRestBound& out = block.all.at_rest[block.k];
  if (out.known) return out;
  out.known = true;
  const Clusters& clusters = arena.clusters;
  const Cluster& first = clusters.all[at(block.who()[0])];
  const Cluster& second = clusters.all[at(block.who()[1])];
  const Eigen::Index from = second.first_ball, count = second.last_ball - second.first_ball;
  const auto xs = clusters.rest.row(0).segment(from, count);
  const auto ys = clusters.rest.row(1).segment(from, count);
  const auto zs = clusters.rest.row(2).segment(from, count);
  const auto radii = clusters.rest.row(3).segment(from, count);
  const double listed = kListedAtRest * arena.most_radius;
  const double anchors = (arena.rest[at(first.anchor)] - arena.rest[at(second.anchor)]).norm();
  const double whole =
      anchors - first.reach_at_rest - first.most_radius - second.reach_at_rest - second.most_radius;
  double least = std::max(whole, listed);
  ways_.clear();
  squares_.resize(count);
  for (Eigen::Index a = first.first_ball; a < first.last_ball && whole < listed; ++a) {
    const Eigen::Array4d here = clusters.rest.col(a);
    // the second cluster may be too far as a whole
    const double apart = (here.head<3>().matrix() - arena.rest[at(second.anchor)]).norm();
    if (apart - second.reach_at_rest - second.most_radius - here[3] >= listed) continue;
    squares_ = (xs - here[0]).square() + (ys - here[1]).square() + (zs - here[2]).square();
    for (Eigen::Index b = 0; b < count; ++b) {
      const double both = here[3] + radii[b], far = both + listed;
      const double near = kSurely * both;
      if (!(squares_[b] < far * far && squares_[b] > near * near)) continue;
      const double length = std::sqrt(squares_[b]);
      least = std::min(least, length - both);
      ways_.push_back(Vec3(here[0] - xs[b], here[1] - ys[b], here[2] - zs[b]) / length);
    }
  }
  out.least = least;
  out.near = directions_of(ways_);
  return out;
}

/// All pairs of the block that are nearer at rest than they are listed.
const NearSearch::AtRest& NearSearch::list_at_rest(const Arena& arena, const Block& block) {
  Detail& detail = block.detail();
  if (detail.rest != nullptr) return *detail.rest;
  const auto [place, fresh] = at_rest_.try_emplace(block.who());
  AtRest& out = place->second;
  detail.rest = &out;
  if (!fresh) return out;
  const double far = kListedAtRest * arena.most_radius;
  for (const int a : arena.clusters.balls_of(arena.clusters.all[at(block.who()[0])]))
    for (const int b : arena.clusters.balls_of(arena.clusters.all[at(block.who()[1])])) {
      const double both = arena.radius[at(a)] + arena.radius[at(b)];
      const double squared = (arena.rest_center[at(a)] - arena.rest_center[at(b)]).squaredNorm();
      if (!(squared < (both + far) * (both + far)) || arena.belong_together(a, b)) continue;
      out.emplace_back(std::sqrt(squared) - both, Pair{std::max(a, b), std::min(a, b), -1, -1});
    }
  std::sort(out.begin(), out.end());
  return out;
}

/// Of two clusters of one body: gaps follow from those at rest but for what the body is deformed.
void NearSearch::bound_from_rest(const Arena& arena, double within, const AtRestBound& at_rest,
                                 const Block& block) {
  Detail& detail = block.detail();
  if (detail.looked == step_ || (detail.bounded == step_ && block.free() >= within)) return;
  detail.bounded = step_;
  carried(arena, block.who()[0]);
  const GapBound bound = deformed_.gap_bound(carried(arena, block.who()[1]), block.who()[0],
                                             block.who()[1], at_rest.near);
  const double beyond = bound.least(std::max(kListedAtRest * arena.most_radius, at_rest.least));
  block.free() = std::max(block.free(), std::min(beyond, bound.least_near(at_rest.least)));
  if (block.free() >= within || block.unlisted() >= within) return;
  const double unlisted = std::min(beyond, kPairStepsAhead * within);
  if (unlisted < within) return;
  detail.listed.clear();
  detail.gaps.clear();
  for (const auto& [gap, pair] : list_at_rest(arena, block)) {
    if (bound.least_near(gap) >= unlisted) break;
    detail.listed.push_back(pair);
  }
  block.set_unlisted(unlisted);
}

/// All pairs of the block nearer than `within`.
void NearSearch::list_pairs(const Arena& arena, const Motion& motion, double within,
                            const Block& block) {
  Detail& detail = block.detail();
  detail.listed.clear();
  detail.gaps.clear();
  const Clusters& clusters = arena.clusters;
  const Cluster& upper = clusters.all[at(block.who()[0])];
  carried(arena, block.who()[0]);
  if (const int solid = solid_of(block); solid >= 0) {
    const auto s = at(solid);
    const Pose body_from_world = motion.solids[s].world_from_body.inverse();
    std::vector<int> pieces;
    for (int a = upper.first_ball; a < upper.last_ball; ++a) {
      pieces.clear();
      arena.solids[s].obstacle->near(body_from_world * Vec3(placed_[at(a)].head<3>()),
                                     clusters.rest(3, a) + within, pieces);
      for (const int piece : pieces)
        detail.listed.push_back({clusters.balls[at(a)], -1, static_cast<int>(s), piece});
    }
  } else {
    const Cluster& lower = clusters.all[at(block.who()[1])];
    carried(arena, block.who()[1]);
    const Eigen::Index from = lower.first_ball, count = lower.last_ball - lower.first_ball;
    const bool one_body = upper.body == lower.body;
    const auto at_rest = clusters.rest.middleCols(from, count);
    there_.resize(4, count);
    for (Eigen::Index b = 0; b < count; ++b)
      there_.col(b) << placed_[static_cast<std::size_t>(from + b)].head<3>().array(),
          clusters.rest(3, from + b);
    for (int a = upper.first_ball; a < upper.last_ball; ++a) {
      const Vec4& here = placed_[at(a)];
      // signed squares: negative where the two are near
      squares_ = (there_.row(0) - here[0]).square() + (there_.row(1) - here[1]).square() +
                 (there_.row(2) - here[2]).square() -
                 (there_.row(3) + (clusters.rest(3, a) + within)).square();
      if (!(squares_.minCoeff() < 0.0)) continue;
      // most of what is near in one body is so because it lies side by side at rest
      if (one_body)
        beside_ = (at_rest.row(0) - clusters.rest(0, a)).square() +
                  (at_rest.row(1) - clusters.rest(1, a)).square() +
                  (at_rest.row(2) - clusters.rest(2, a)).square() -
                  (kSurely * (at_rest.row(3) + clusters.rest(3, a))).square();
      for (Eigen::Index b = 0; b < count; ++b) {
        if (!(squares_[b] < 0.0) || (one_body && beside_[b] < 0.0)) continue;
        const int p = clusters.balls[at(a)], q = clusters.balls[static_cast<std::size_t>(from + b)];
        if (!arena.belong_together(p, q))
          detail.listed.push_back({std::max(p, q), std::min(p, q), -1, -1});
      }
    }
  }
  block.set_unlisted(within);
}

void NearSearch::find_gaps(const Arena& arena, const Motion& motion, const Block& block) {
  Detail& detail = block.detail();
  detail.gaps.clear();
  block.free() = block.unlisted();
  for (const Pair& pair : detail.listed) {
    carry(arena, pair.ball);
    if (pair.other >= 0) {
      carry(arena, pair.other);
      detail.gaps.push_back(
          (balls_.centers[at(pair.ball)] - balls_.centers[at(pair.other)]).norm() -
          arena.radius[at(pair.ball)] - arena.radius[at(pair.other)]);
    } else {
      detail.gaps.push_back(parting_of(arena, motion, balls_, pair).gap);
    }
    block.free() = std::min(block.free(), detail.gaps.back());
  }
  detail.looked = step_;
  detail.taken = -std::numeric_limits<double>::infinity();
}

/// Pairs of the block nearer than `within` are told.
void NearSearch::take(const Arena& arena, const Motion& motion, double within, const Block& block) {
  // pairs told before in the step stay told: they are the nearer ones
  Detail& detail = block.detail();
  const bool again = detail.looked == step_;
  const double taken = detail.taken;
  if (block.unlisted() < within)
    list_pairs(arena, motion, std::max(kPairsAhead * arena.most_radius, kPairStepsAhead * within),
               block);
  else if (again && detail.taken >= within)
    return;
  if (!again || detail.gaps.size() != detail.listed.size()) find_gaps(arena, motion, block);
  if (again) detail.taken = taken;
  for (std::size_t k = 0; k < detail.listed.size(); ++k) {
    const double gap = detail.gaps[k];
    if (!(gap < within) || gap < detail.taken) continue;
    const Pair& pair = detail.listed[k];
    activate(pair);
    pairs_.push_back(pair);
    partings_.push_back(parting_of(arena, motion, balls_, pair));
  }
  detail.taken = std::max(detail.taken, within);
}

}  // namespace repose::surfel
