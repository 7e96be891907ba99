#include "way.h"

#include <cmath>

#include "repose/math/dense.h"

#include "program.h"

namespace repose::place {
namespace {

/// Steps longer than this are kept to their valley, in so many rounds, where they leave it by more
/// than a slight share of what they gain and of the gap that is kept.
constexpr double kLongStep = 1e-3, kSlight = 1e-3, kSlightGap = 1e-3;
constexpr int kRounds = 5;
/// A step that leaves its valley by less than this share of what it gains is let go.
constexpr double kLeaves = 0.1;
/// Corrections at the end: so many, by motions that are more than this share of the step.
constexpr int kCorrections = 2;
constexpr double kSlightMotion = 0.01;
/// A motion that ends on a slope of this many times what it began with has passed the lowest place,
/// and is shortened to where the slope vanishes, no further than to the second share.
constexpr double kPassed = 1.0, kLeastShare = 0.2;
/// Combinations of freedoms that act on the way's departure by less than this are not used.
constexpr double kLeastEffect = 1e-3;

/// What a change of the motion x adds after it: exp(x + y) = exp(D y) exp(x) to first order.
Eigen::MatrixXd after_motion(const Arena& arena, const Eigen::VectorXd& x) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Identity(x.size(), x.size());
  for (std::size_t k = 0; k < arena.active.size(); ++k) {
    const auto at = static_cast<Eigen::Index>(6 * k + 3);
    const Vec3 w = x.segment<3>(at);
    Mat3 cross;
    cross << 0.0, -w.z(), w.y(), w.z(), 0.0, -w.x(), -w.y(), w.x(), 0.0;
    out.block<3, 3>(at, at) += 0.5 * cross + cross * cross / 6.0;
  }
  return out;
}

/// A straight motion and how far its middle and its end lie off the valley.
struct Way {
  Eigen::VectorXd motion;
  Correction middle, end;

  bool found() const { return middle.found && end.found; }
  /// Back into the valley, but not along the motion; by the root of the curvature.
  Eigen::VectorXd off(const Correction& back) const {
    const Eigen::VectorXd forward = motion.normalized();
    return back.across * (back.motion - back.motion.dot(forward) * forward);
  }
  /// Energy of the departures, roughly.
  double lost() const { return off(middle).squaredNorm() + off(end).squaredNorm(); }
  /// Of the energy at the end, along the whole motion.
  double slope() const { return -(end.across * motion).dot(end.across * end.motion); }
};

Correction departure(const Standing& here, const Eigen::VectorXd& motion,
                     const StepBounds& bounds) {
  const Places places = moved(here.arena, here.problem, here.places, motion);
  std::vector<Row> rows;
  for (const Row& row : here.rows) {
    SearchSettings search =
        search_settings(here.arena, pairing_of(here.arena, row.at), here.settings, 0.0);
    const auto now = follow(places[static_cast<std::size_t>(row.at.p)],
                            places[static_cast<std::size_t>(row.at.q)], row, search.valley);
    if (now) add_row(*now, search, rows);
  }
  return correct(here.arena, here.problem, places, rows,
                 potential(here.arena, here.problem, places), here.settings, bounds);
}

Way way_of(const Standing& here, const Eigen::VectorXd& motion, const StepBounds& bounds) {
  return {motion, departure(here, 0.5 * motion, bounds), departure(here, motion, bounds)};
}

/// The change of the motion, square to it, that takes middle and end back into the valley.
Eigen::VectorXd back_in_valley(const Arena& arena, const Way& way) {
  const Eigen::VectorXd forward = way.motion.normalized();
  const Correction &middle = way.middle, &end = way.end;
  const Eigen::Index first = end.across.rows(), rows = first + middle.across.rows();
  Eigen::MatrixXd effect(rows, forward.size());
  Eigen::VectorXd wanted(rows);
  effect.topRows(first) = product(end.across, after_motion(arena, way.motion));
  effect.bottomRows(rows - first) =
      0.5 * product(middle.across, after_motion(arena, 0.5 * way.motion));
  effect -= (effect * forward) * forward.transpose();
  wanted << way.off(end), way.off(middle);
  return least_squares_by_pivots(effect, wanted, kLeastEffect);
}

/// The way bent into the valley, as far as that gains more than `slight`.
Way in_valley(const Standing& here, Way way, double slight, const StepBounds& bounds) {
  for (int k = 0; k < kRounds && way.found() && way.lost() > slight; ++k) {
    Way next = way_of(here, way.motion + back_in_valley(here.arena, way), bounds);
    if (!next.found() || !(next.lost() < way.lost())) break;
    way = std::move(next);
  }
  return way;
}

}  // namespace

std::optional<Proposal> along_valley(const Standing& here, const Proposal& proposal,
                                     const Memory& memory) {
  const StepBounds bounds{memory.epsilon, memory.gap, false, memory.cruising()};
  const Eigen::VectorXd motion = proposal.share * proposal.motion;
  if (here.rows.empty() || motion.lpNorm<Eigen::Infinity>() < kLongStep || memory.settled)
    return std::nullopt;
  const double down = -here.energy.gradient.dot(motion);
  const double slight = std::max(kSlight * down, kSlightGap * memory.gap);
  Way best{motion, {}, departure(here, motion, bounds)};
  if (!best.end.found) return std::nullopt;
  if (best.off(best.end).squaredNorm() < kLeaves * down && best.slope() < kPassed * down)
    return std::nullopt;
  best.middle = departure(here, 0.5 * motion, bounds);
  best = in_valley(here, std::move(best), slight, bounds);
  if (best.found() && best.slope() > kPassed * down) {
    const double share = std::max(kLeastShare, down / (down + best.slope()));
    best = in_valley(here, way_of(here, share * best.motion, bounds), slight, bounds);
  }
  if (!best.found() || best.motion == motion) return std::nullopt;
  Proposal out = propose_motion(here.arena, here.places, here.rows, here.energy, here.settings,
                                bounds, best.motion, proposal);
  out.low = proposal.low;
  return out;
}

Restored down_at_end(const Standing& here, const Proposal& proposal, Restored there,
                     const Memory& memory) {
  const Arena& arena = here.arena;
  const StepBounds bounds{memory.epsilon, memory.gap, false, memory.cruising()};
  Eigen::VectorXd motion = proposal.share * proposal.motion;
  const double length = motion.lpNorm<Eigen::Infinity>();
  if (here.rows.empty() || length < kLongStep || memory.settled) return there;
  for (int k = 0; k < kCorrections; ++k) {
    const Potential end = potential(arena, here.problem, there.places);
    const Correction back =
        correct(arena, here.problem, there.places, there.rows, end, here.settings, bounds);
    if (back.motion.lpNorm<Eigen::Infinity>() < kSlightMotion * length) break;
    motion = one_after_other(arena, motion, back.motion);
    Proposal bent = propose_motion(arena, here.places, here.rows, here.energy, here.settings,
                                   bounds, motion, proposal);
    bent.share = 1.0;
    bent.low = proposal.low;
    Restored again =
        restore(arena, here.problem, here.places, here.rows, bent, here.settings, memory.gap);
    if (!again.kept || !(potential(arena, here.problem, again.places).energy < end.energy)) break;
    there = std::move(again);
    there.bent = true;
  }
  return there;
}

}  // namespace repose::place
