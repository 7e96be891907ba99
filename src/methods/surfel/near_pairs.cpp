// Which balls of two clusters, and which balls of a cluster and a solid, are near each other.
#include <algorithm>
#include <cmath>
#include <limits>

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

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

}  // namespace

/// m; no gap between the balls of a block is smaller at rest; found when it is asked for.
double NearSearch::least_at_rest(const Arena& arena, std::size_t k, Within& body) {
  if (!std::isnan(body.at_rest[k])) return body.at_rest[k];
  const Clusters& clusters = arena.clusters;
  const Cluster& first = clusters.all[at(body.blocks.who[k][0])];
  const Cluster& second = clusters.all[at(body.blocks.who[k][1])];
  const Eigen::Index from = second.first_ball, count = second.last_ball - second.first_ball;
  const auto xs = clusters.rest.row(0).segment(from, count);
  const auto ys = clusters.rest.row(1).segment(from, count);
  const auto zs = clusters.rest.row(2).segment(from, count);
  const auto radii = clusters.rest.row(3).segment(from, count);
  double least = kListedAtRest * arena.most_radius;
  squares_.resize(count);
  for (Eigen::Index a = first.first_ball; a < first.last_ball; ++a) {
    const Eigen::Array4d here = clusters.rest.col(a);
    // the second cluster may be too far as a whole
    const double whole = (here.head<3>().matrix() - arena.rest[at(second.anchor)]).norm();
    if (whole - second.reach_at_rest - second.most_radius - here[3] >= least) continue;
    squares_ = (xs - here[0]).square() + (ys - here[1]).square() + (zs - here[2]).square();
    for (Eigen::Index b = 0; b < count; ++b) {
      const double both = here[3] + radii[b], far = both + least, near = shape::kNearAtRest * both;
      if (squares_[b] < far * far && squares_[b] > near * near)
        least = std::sqrt(squares_[b]) - both;
    }
  }
  return body.at_rest[k] = least;
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
void NearSearch::bound_from_rest(const Arena& arena, const Motion& motion, double within,
                                 double least_at_rest, const Block& block) {
  Detail& detail = block.detail();
  if (detail.looked == step_) return;
  carried(arena, motion, block.who()[0]);
  const GapBound bound =
      deformed_.gap_bound(carried(arena, motion, block.who()[1]), block.who()[0], block.who()[1]);
  block.free() = std::max(block.free(), bound.least(least_at_rest));
  if (block.free() >= within || block.unlisted() >= within) return;
  const double unlisted =
      std::min(bound.least(kListedAtRest * arena.most_radius), kPairStepsAhead * within);
  if (unlisted < within) return;
  detail.listed.clear();
  detail.gaps.clear();
  for (const auto& [gap, pair] : list_at_rest(arena, block)) {
    if (bound.least(gap) >= unlisted) break;
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
  const auto upper = arena.clusters.balls_of(arena.clusters.all[at(block.who()[0])]);
  for (const int ball : upper) carry(arena, motion, ball);
  if (const int solid = solid_of(block); solid >= 0) {
    const auto s = at(solid);
    const Pose body_from_world = motion.solids[s].inverse();
    std::vector<int> pieces;
    for (const int ball : upper) {
      pieces.clear();
      arena.solids[s].obstacle->near(body_from_world * balls_.centers[at(ball)],
                                     arena.radius[at(ball)] + within, pieces);
      for (const int piece : pieces)
        detail.listed.push_back({ball, -1, static_cast<int>(s), piece});
    }
  } else {
    const auto lower = arena.clusters.balls_of(arena.clusters.all[at(block.who()[1])]);
    const auto count = static_cast<Eigen::Index>(lower.size());
    there_.resize(4, count);
    for (std::size_t b = 0; b < lower.size(); ++b) {
      carry(arena, motion, lower[b]);
      there_.col(static_cast<Eigen::Index>(b)) << balls_.centers[at(lower[b])].array(),
          arena.radius[at(lower[b])];
    }
    for (const int a : upper) {
      const Vec3& here = balls_.centers[at(a)];
      // signed squares: negative where the two are near
      squares_ = (there_.row(0) - here[0]).square() + (there_.row(1) - here[1]).square() +
                 (there_.row(2) - here[2]).square() -
                 (there_.row(3) + (arena.radius[at(a)] + within)).square();
      if (!(squares_.minCoeff() < 0.0)) continue;
      for (std::size_t b = 0; b < lower.size(); ++b)
        if (squares_[static_cast<Eigen::Index>(b)] < 0.0 && !arena.belong_together(a, lower[b]))
          detail.listed.push_back({std::max(a, lower[b]), std::min(a, lower[b]), -1, -1});
    }
  }
  block.set_unlisted(within);
}

void NearSearch::find_gaps(const Arena& arena, const Motion& motion, const Block& block) {
  Detail& detail = block.detail();
  detail.gaps.clear();
  block.free() = block.unlisted();
  for (const Pair& pair : detail.listed) {
    carry(arena, motion, pair.ball);
    if (pair.other >= 0) {
      carry(arena, motion, pair.other);
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
