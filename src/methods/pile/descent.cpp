#include "descent.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "repose/base/stage_clock.h"

#include "far_separations.h"
#include "newton.h"

namespace repose::pile {
namespace {

/// The product at first, and how it changes: per step at most while bodies settle, at once where a
/// step gains next to nothing or arrives with nothing held and nothing sliding, and back where
/// bodies come loose. Below kHard nothing that is held lets it change.
constexpr double kFirstProduct = 0.03;
constexpr double kSofter = 3.0, kSteady = 0.5, kHarder = 0.3;
constexpr double kHard = 1e-4;
constexpr double kSmallGain = 0.1, kLargeGain = 10.0;  // over the product
constexpr double kHeld = 0.03;  // while damping holds a body by more weights, it has yet to move
constexpr double kSlideHard = 1e-3;  // ... while one slides, below this
constexpr double kSlidesFade = 0.6;  // of what contacts were seen to slide with, per step
constexpr double kWhole = 0.8;       // a step of which this share was taken arrived
/// The first damping, weights per radius, and at least; how it fades while a body stays within its
/// bounds; what it starts from and grows by where it does not.
constexpr double kFirstDamping = 2.0, kLeastDamping = 1e-6, kDampingFade = 0.3;
constexpr double kNewDamping = 0.1, kDampingGrow = 1.5;
/// A step is found anew where contacts drag with this much more than their friction, mean weights.
constexpr double kMuchDrag = 0.1;
/// Over its bounds a body may go by this, and at most by that.
constexpr double kOver = 1.2, kFarOver = 1.5;
/// A body that uses less than this share of its bounds is damped less in the next step.
constexpr double kWithin = 0.8;
/// Pieces that end nearer than this share of what their rows say are given a row there, with this
/// share of the gap at the start as least slack.
constexpr double kFarKeep = 0.4;
constexpr double kFarSlack = 0.1;
/// Pieces without a row of their own count as if they left at least this share of their gap.
constexpr double kToldLeft = 0.1;
constexpr double kLeastFarSlack = 1e-13;  // mean radii
constexpr int kRounds = 6;

/// The least gap of each two pieces at the end of the motion, as their rows see it, m.
std::vector<double> ends_of(const Placement& at, std::span<const Separation> separations,
                            const Motion& motion) {
  std::vector<double> out(separations.size());
  for (std::size_t k = 0; k < separations.size();) {
    std::size_t end = k;
    double least = std::numeric_limits<double>::infinity();
    for (; end < separations.size() && (end == k || same_pieces(separations[k], separations[end]));
         ++end) {
      const Separation& s = separations[end];
      Vec3 way = motion.displacement[s.b] + motion.turn[s.b].cross(s.point - at.centers[s.b]);
      if (s.a >= 0)
        way -= motion.displacement[s.a] + motion.turn[s.a].cross(s.point - at.centers[s.a]);
      least = std::min(least, s.gap + s.normal.dot(way));
    }
    for (; k < end; ++k) out[k] = least;
  }
  return out;
}

/// What each two pieces must have left at the end of the motion, m, or be given a row there.
std::vector<double> least_ends(const Placement& at, std::span<const Separation> pairs,
                               const Motion& motion) {
  std::vector<double> out = ends_of(at, pairs, motion);
  for (std::size_t k = 0; k < out.size(); ++k)
    out[k] = kFarKeep * std::max(out[k], kToldLeft * std::max(0.0, pairs[k].gap));
  return out;
}

/// How much of its bounds a mover uses: of way and of turn.
std::array<double, 2> use_of(const Arena& arena, const StepBounds& bounds, const Motion& motion,
                             std::size_t i) {
  return {motion.displacement[i].norm() / bounds.room[i][0],
          arena.movers[i].turns ? motion.turn[i].norm() / bounds.turn[i] : 0.0};
}

/// Damps movers that leave their bounds; true if none does.
bool damp(const Arena& arena, const StepBounds& bounds, const Motion& motion,
          DescentMemory& memory) {
  bool within = true;
  for (std::size_t i = 0; i < arena.movers.size(); ++i) {
    const auto use = use_of(arena, bounds, motion, i);
    for (std::size_t k = 0; k < use.size(); ++k) {
      if (use[k] <= kOver) continue;
      double& damping = memory.damping[i][k];
      damping = std::max(kNewDamping, damping) * std::max(kDampingGrow, use[k]);
      within = false;
    }
  }
  return within;
}

void shorten(Motion& motion, double share) {
  for (Vec3& d : motion.displacement) d *= share;
  for (Vec3& t : motion.turn) t *= share;
}

}  // namespace

DescentMemory first_descent(const Arena& arena, const PileSettings& settings) {
  DescentMemory out;
  out.product = kFirstProduct;
  out.damping.assign(arena.movers.size(), {kFirstDamping / settings.box_half_width, kFirstDamping});
  return out;
}

std::vector<PointForce> point_forces(const Placement& at, std::span<const Separation> separations,
                                     const Descent& descent) {
  std::vector<PointForce> out;
  for (std::size_t k = 0; k < separations.size(); ++k) {
    const Separation& s = separations[k];
    out.push_back({s.a, s.b, s.piece_a, s.piece_b, at.poses[s.b].inverse() * s.point,
                   descent.multipliers[k],
                   descent.full_slips.empty() ? 0.0 : descent.full_slips[k]});
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const PointForce& l, const PointForce& r) { return l.key() < r.key(); });
  return out;
}

namespace {

/// The product to aim at next.
double next_product(double product, const Descent& descent, double gain, double least_share,
                    double slides) {
  if (gain > kLargeGain * product) return std::min(kFirstProduct, kSofter * product);
  if (product < kSlideHard && slides > kHeld) return product;
  if (product < kHard && descent.held > kHeld) return product;
  if (gain < kSmallGain * product) return kHarder * product;
  const bool whole = descent.share > kWhole && least_share >= kWhole;
  if (whole && descent.held <= kHeld && slides <= kHeld) return kHarder * product;
  if (descent.product >= product) return product;
  return std::max(kSteady * product, descent.product);
}

}  // namespace

void learn_descent(const Descent& descent, double gain, double least_share, DescentMemory& memory) {
  memory.slides = std::max(descent.slides, kSlidesFade * memory.slides);
  memory.product = next_product(memory.product, descent, gain, least_share, memory.slides);
}

Descent descend(const Arena& arena, const Placement& at, std::span<const Separation> separations,
                std::span<const Separation> pairs, StepProgram& program, const StepBounds& bounds,
                std::span<const Trust> trust, double friction, solve::SparseCholesky& cholesky,
                DescentMemory& memory) {
  const StageScope timed("descend");
  Newton newton(arena, at, separations, program.lp, trust, friction, cholesky, memory);
  const double unit = arena.length_unit;
  Descent out;
  solve::LpSolution solution;
  double dragged = 0.0;
  for (int round = 0; round < kRounds; ++round) {
    newton.solve();
    solution.x = newton.step();
    out.proposed = proposed_motion(arena, solution);
    const bool within = damp(arena, bounds, out.proposed, memory);
    dragged = newton.loosen();
    out.share = newton.longest();
    if (round + 1 == kRounds) break;
    const bool stiffened = newton.stiffen();
    if (!within || dragged > kMuchDrag || stiffened) continue;
    // what the first order does not see, at the end of the motion
    Motion end = out.proposed;
    shorten(end, out.share);
    const auto far = find_far_separations(arena, pairs, at, end, least_ends(at, pairs, end));
    if (far.empty()) break;
    for (const FarSeparation& f : far) {
      add_far_separation(program, arena, f, 0.0);
      newton.take_row(program.lp.rows() - 1, f.a, f.b,
                      std::max(kFarSlack * f.start_gap / unit, kLeastFarSlack));
    }
  }
  for (std::size_t i = 0; i < arena.movers.size(); ++i) {
    const auto use = use_of(arena, bounds, out.proposed, i);
    for (std::size_t k = 0; k < use.size(); ++k) {
      if (out.share * use[k] > kFarOver) out.share = kFarOver / use[k];
      double& damping = memory.damping[i][k];
      const double room = k == 0 ? bounds.room[i][0] : bounds.turn[i] * arena.movers[i].radius;
      out.held = std::max(out.held, damping * use[k] * room / unit);
      if (out.share * use[k] < kWithin) damping = std::max(kLeastDamping, kDampingFade * damping);
    }
  }
  shorten(out.proposed, out.share);
  out.slides = dragged;
  out.full_slips = newton.next_full_slips(out.share);
  out.product = newton.product();
  out.multipliers = newton.next_multipliers();
  return out;
}

}  // namespace repose::pile
