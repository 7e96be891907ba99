// Which balls of two clusters, and which balls of a cluster and a solid, are near each other.
#include <algorithm>
#include <cmath>
#include <limits>

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

/// What is known of a block of one body at rest: the least gap, and with `list` all that are small.
NearSearch::AtRest& NearSearch::at_rest(const Arena& arena, const Block& block, bool list) {
  if (block.detail().rest == nullptr) block.detail().rest = &at_rest_[block.who()];
  AtRest& out = *block.detail().rest;
  if (list ? out.unlisted > 0.0 : out.known) return out;
  out.known = true;
  const double far = kListedAtRest * arena.most_radius;
  out.least = far;
  for (const int a : arena.clusters.balls_of(arena.clusters.all[at(block.who()[0])]))
    for (const int b : arena.clusters.balls_of(arena.clusters.all[at(block.who()[1])])) {
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
                                 const Block& block) {
  Detail& detail = block.detail();
  if (detail.looked == step_) return;
  carried(arena, motion, block.who()[0]);
  const GapBound bound =
      deformed_.gap_bound(carried(arena, motion, block.who()[1]), block.who()[0], block.who()[1]);
  block.free() = std::max(block.free(), bound.least(at_rest(arena, block, false).least));
  if (block.free() >= within || block.unlisted() >= within) return;
  const double unlisted =
      std::min(bound.least(kListedAtRest * arena.most_radius), kPairStepsAhead * within);
  if (unlisted < within) return;
  detail.listed.clear();
  detail.gaps.clear();
  for (const auto& [gap, pair] : at_rest(arena, block, true).listed) {
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
      for (const int piece : pieces) detail.listed.push_back({ball, -1, static_cast<int>(s), piece});
    }
  } else {
    const auto lower = arena.clusters.balls_of(arena.clusters.all[at(block.who()[1])]);
    for (const int ball : lower) carry(arena, motion, ball);
    for (const int a : upper)
      for (const int b : lower) {
        const double reach = arena.radius[at(a)] + arena.radius[at(b)] + within;
        if ((balls_.centers[at(a)] - balls_.centers[at(b)]).squaredNorm() < reach * reach &&
            !arena.belong_together(a, b))
          detail.listed.push_back({std::max(a, b), std::min(a, b), -1, -1});
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
