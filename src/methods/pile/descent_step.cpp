#include "descent_step.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "friction.h"
#include "proven_motion.h"
#include "telling_rows.h"
#include "turning.h"

namespace repose::pile {
namespace {

/// Below this product (weights times radii) the step's own multipliers are asked whether they
/// balance the pile; below that the linear program takes over.
constexpr double kRestProduct = 1e-8;
constexpr double kLastProduct = 1e-11;
/// ... once a step could gain no more than this, weights times radii per mover.
constexpr double kNearRest = 1e-7;
/// How far bodies may go and turn in the program that finds the forces at rest, radii and rad, and
/// how exactly it is solved.
constexpr double kRestRoom = 1e-6;
constexpr double kRestGap = 1e-9, kRestDual = 1e-9, kRestFeasibility = 1e-12;
/// What every motion leaves free, of the shell at rest and of what was free before.
constexpr double kShellLeft = 0.5, kGapLeft = 0.95;
constexpr int kMaxTries = 6;
/// Whether friction holds is asked below this product: contacts of a tenth of a weight then touch.
/// Where it does, contacts harden at once.
constexpr double kHoldProduct = 1e-7;
/// Bodies on curved surfaces balance the better the nearer they are to where they belong: once
/// contacts are as hard as at rest, such a pile goes on without hardening them until so little of a
/// weight is unbalanced, or for so many steps.
constexpr double kPolished = 1e-10;
constexpr int kPolishSteps = 40;
/// After a step that could not be taken; and of a pile that friction holds.
constexpr double kMoreDamping = 2.0, kHarder = 0.5;

/// One try: from bounds to a proven motion.
struct Try {
  std::vector<Separation> separations;
  std::vector<double> keep;  // m, by separation
  Descent descent;
  SharedMotion shared;
  double gain = 0.0;  // weights times radii per mover
};

/// What touching bodies keep free, m, by separation.
std::vector<double> kept_by(const Arena& arena, std::span<const Separation> separations,
                            double margin) {
  std::vector<double> out = margins_of(arena, separations, margin);
  for (double& keep : out) keep = std::max(keep, kLastShell * arena.length_unit);
  return out;
}
/// ... and what a motion must leave of that.
std::vector<double> left_by(std::span<const Separation> separations, std::vector<double> keep) {
  for (std::size_t k = 0; k < keep.size(); ++k)
    keep[k] = std::max(0.0, std::min(kShellLeft * keep[k], kGapLeft * separations[k].gap));
  return keep;
}

/// Rows that pass keep their pieces apart while bodies move, as all others do.
std::vector<Separation> as_guards(std::vector<Separation> separations) {
  for (Separation& s : separations) s.passes = false;
  return separations;
}

Try attempt(const Arena& arena, const PileSettings& settings, const Placement& at,
            solve::SparseCholesky& cholesky, TurningMemory& memory) {
  Try out;
  const StepBounds bounds = bounds_of(arena, memory.trust, settings);  // how far they may go
  const auto pairs = find_separations_of_free(arena, at, travel_of(arena, bounds),
                                              tilt_room(bounds));  // who may meet
  out.separations = telling_rows(arena, pairs);                    // where
  out.keep = kept_by(arena, out.separations, settings.margin);
  StepProgram program = assemble_program(arena, at, as_guards(out.separations), out.keep, bounds,
                                         memory.caution, settings);
  out.descent = descend(arena, at, out.separations, pairs, program, bounds, memory.trust,
                        settings.most_friction, cholesky, memory.descent);
  out.shared = proven_motion(arena, pairs, at, out.descent.proposed,
                             left_by(pairs, kept_by(arena, pairs, settings.margin)));
  out.gain = out.shared.motion.gain /
             (arena.force_unit * arena.length_unit * static_cast<double>(arena.movers.size()));
  return out;
}

/// The forces that balance the bodies best where they are: multipliers of the linear program of a
/// step that goes next to nowhere.
std::vector<double> resting_forces(const Arena& arena, const PileSettings& settings,
                                   const Placement& at, const Try& tried, solve::LpSolver& solver) {
  std::vector<Trust> room(arena.movers.size());
  for (std::size_t i = 0; i < room.size(); ++i)
    room[i] = {.way = kRestRoom * arena.movers[i].radius, .turn = kRestRoom};
  const StepProgram program = assemble_program(arena, at, tried.separations, tried.keep,
                                               bounds_of(arena, room, settings), 1.0, settings);
  solve::LpSettings lp;
  lp.gap_fraction = lp.gap_floor = kRestGap;
  lp.feasibility = kRestFeasibility;
  lp.dual_feasibility = kRestDual;
  return solver
      .solve(program.lp, lp,
             {.rows = program.first_rows, .zero_is_feasible = false, .multipliers = {}})
      .y;
}

void learn(const Arena& arena, const PileSettings& settings, const Placement& at, const Try& taken,
           TurningMemory& memory) {
  const Motion& motion = taken.shared.motion;
  const double product = memory.descent.product, unit = arena.length_unit;
  for (std::size_t i = 0; i < memory.trust.size(); ++i)
    memory.trust[i] = next_room(memory.trust[i], motion.displacement[i], motion.turn[i],
                                taken.shared.share[i], arena.movers[i], product, settings);
  learn_descent(taken.descent, taken.gain, motion.share, memory.descent);
  memory.descent.forces = point_forces(at, taken.separations, taken.descent);
  memory.forces = piece_forces(taken.separations, taken.descent.multipliers);
  memory.gain = taken.gain;
  memory.shell = std::clamp(memory.descent.product * unit, kLastShell * unit, kFirstShell * unit);
  fade_caution(memory);
}

StepReport held_report(const Arena& arena, const FrictionHold& hold) {
  StepReport report;
  report.status = RunStatus::rest;
  report.residual = hold.worst;
  report.body = arena.movers[hold.worst_mover].body;
  report.why = fmt::format("friction holds every body to {:.1e} of its weight", hold.worst);
  return report;
}

}  // namespace

std::optional<StepReport> descent_step(const Arena& arena, const PileSettings& settings,
                                       solve::LpSolver& solver, solve::SparseCholesky& cholesky,
                                       State& state) {
  auto memory =
      std::make_shared<TurningMemory>(*std::static_pointer_cast<const TurningMemory>(state.memory));
  const Placement at = placement_of(arena, state);
  for (int n = 0; n < kMaxTries && memory->descent.product > kLastProduct; ++n) {
    const Try tried = attempt(arena, settings, at, cholesky, *memory);
    const double touch = kTouchGap * arena.length_unit;
    std::vector<double> forces = tried.descent.multipliers;
    Balance balance = balance_of(arena, tried.separations, at, forces, touch, tried.keep);
    if (memory->descent.product < kRestProduct && balance.gain_left < kNearRest) {
      std::vector<double> better = resting_forces(arena, settings, at, tried, solver);
      const Balance best = balance_of(arena, tried.separations, at, better, touch, tried.keep);
      if (best.worst < balance.worst) {
        balance = best;
        forces = std::move(better);
      }
    }
    StepReport report = report_of(arena, balance);
    if (memory->descent.product < kRestProduct && rests(balance, settings))
      report = rest_report(arena, balance);
    // asked first of all as well: what stands by friction is not set in motion
    const bool settled = memory->descent.product < kHoldProduct;
    bool holds = false;  // but contacts are not yet as hard as at rest
    if (settings.friction && (settled || state.step == 0) && report.status == RunStatus::moving) {
      FrictionHold hold = friction_hold(arena, at, tried.separations, touch, settings, solver);
      holds = hold.holds;
      if (holds && (memory->descent.product < kRestProduct || state.step == 0)) {
        report = held_report(arena, hold);
        state.contacts = std::move(hold.contacts);
        state.step += 1;
        return report;
      }
    }
    const bool taken = tried.shared.motion.kept && tried.gain > 0.0;
    const bool polishing = arena.cells && taken && balance.worst > kPolished &&
                           memory->descent.product < kRestProduct &&
                           memory->polished < kPolishSteps;
    if (polishing) {
      if (report.status == RunStatus::rest) report = report_of(arena, balance);
      ++memory->polished;
    }
    if (report.status == RunStatus::moving && !taken) {
      shrink_trust(arena, memory->trust);
      memory->descent.product *= kHarder;
      memory->caution = 1.0;
      for (auto& d : memory->descent.damping)
        for (double& k : d) k *= kMoreDamping;
      continue;
    }
    state.contacts = contacts_of(arena, tried.separations, forces, touch);
    state.step += 1;
    if (report.status != RunStatus::moving) return report;
    const double product = memory->descent.product;
    learn(arena, settings, at, tried, *memory);
    if (polishing) memory->descent.product = product;
    if (holds) memory->descent.product = std::min(memory->descent.product, kHarder * product);
    take(arena, moved(arena, at, tried.shared.motion, 1.0), state);
    state.memory = memory;
    return report;
  }
  state.memory = memory;
  return std::nullopt;
}

}  // namespace repose::pile
