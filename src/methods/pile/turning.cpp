#include "turning.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "repose/base/stage_clock.h"

#include "descent_step.h"
#include "far_separations.h"
#include "proven_motion.h"

namespace repose::pile {
namespace {

constexpr double kTurningGap = 0.003;  // of a program while turning bodies move, at most
/// How the shell shrinks; below and above what gain of a step, in weights per mover times the
/// shell, it shrinks and grows.
constexpr double kShellFade = 0.25;
constexpr double kSmallGain = 0.3, kLargeGain = 10.0;
/// Where the shell is worn off, a step puts it back as far as this share of its bounds.
constexpr double kRestore = 0.3;
/// Pairs that a motion leaves less than this share of what they should keep are looked at again at
/// its end, this often.
constexpr double kFarKeep = 0.2;
constexpr int kFarRounds = 8;
/// A gap that turning bodies keep while they move, of the gap at the start.
constexpr double kMovingGap = 0.5;
/// Faces and edges that lie along each other within this angle, rad, or this many times the bounds
/// on turning, touch as such.
constexpr double kLeastTilt = 1e-3, kTiltRoom = 2.0;
/// Solves are tight once a step gains less than this, weights times radii per mover.
constexpr double kSettlingGain = 1e-6;
constexpr double kTightGap = 1e-9, kLooseGap = 3e-3;
constexpr double kGapFloor = 1e-11;  // per mover
constexpr double kFeasibility = 1e-11;
constexpr double kLooseDual = 1e-7, kTightDual = 1e-9;
constexpr int kMaxIterations = 80;
/// The caution with which links are modelled: at least, and what is left of it after each step.
constexpr double kLeastCaution = 1e-3, kCautionFade = 0.3;
constexpr int kMaxTries = 12;

/// What each separation must keep free, m: the shell. `restore`: where it is worn off it is put
/// back; else what is left of it is kept.
std::vector<double> kept_gaps(const Arena& arena, std::span<const Separation> separations,
                              const TurningMemory& memory, double margin, bool restore) {
  std::vector<double> out = margins_of(arena, separations, margin);
  for (std::size_t k = 0; k < out.size(); ++k) {
    const Separation& s = separations[k];
    if (s.piece_b < 0) continue;  // balls alone
    double most = std::max(0.0, s.gap);
    if (restore) {
      double way = memory.trust[s.b].way;
      if (s.a >= 0) way += memory.trust[s.a].way;
      most += kRestore * way;
    }
    out[k] = std::min(std::max(out[k], memory.shell), most);
  }
  return out;
}

/// What is kept free on the way, m.
std::vector<double> moving_gaps(const Arena& arena, std::span<const Separation> separations,
                                double margin) {
  std::vector<double> out = margins_of(arena, separations, margin);
  for (std::size_t k = 0; k < out.size(); ++k)
    out[k] = std::min(out[k], kMovingGap * std::max(0.0, separations[k].gap));
  return out;
}

/// One step's tries, from bounds to verified motion.
class Attempt {
 public:
  Attempt(const Arena& arena, const PileSettings& settings, solve::LpSolver& solver,
          const Placement& at)
      : arena_(arena), settings_(settings), solver_(solver), at_(at) {}

  void run(const TurningMemory& memory, bool restore);
  bool kept() const { return shared.motion.kept; }
  bool at_rest() const { return rests(balance, settings_); }

  std::vector<Separation> separations;
  solve::LpSolution solution;
  SharedMotion shared;
  Balance balance;

 private:
  void solve(const StepProgram& program, bool tight, bool restore);

  const Arena& arena_;
  const PileSettings& settings_;
  solve::LpSolver& solver_;
  const Placement& at_;
};

void Attempt::solve(const StepProgram& program, bool tight, bool restore) {
  const StageScope timed("solve_program");
  solve::LpSettings lp;
  lp.gap_fraction = tight ? kTightGap : std::min(settings_.gap_moving, kTurningGap);
  lp.gap_floor = kGapFloor * static_cast<double>(arena_.movers.size());
  lp.feasibility = kFeasibility;
  lp.dual_feasibility = tight ? kTightDual : kLooseDual;
  lp.max_iterations = kMaxIterations;
  solution =
      solver_.solve(program.lp, lp,
                    {.rows = program.first_rows, .zero_is_feasible = !restore, .multipliers = {}});
}

void Attempt::run(const TurningMemory& memory, bool restore) {
  const StepBounds bounds = bounds_of(arena_, memory.trust, settings_);  // how far they may go
  separations = find_separations_of_free(arena_, at_, travel_of(arena_, bounds),
                                         tilt_room(bounds));  // who stays off
  const auto keep = kept_gaps(arena_, separations, memory, settings_.margin, restore);
  StepProgram program =
      assemble_program(arena_, at_, separations, keep, bounds, memory.caution, settings_);
  add_holds(arena_, memory.trust, program.lp);
  add_curvature(arena_, at_, separations, memory.forces, program.lp);
  const bool tight = memory.gain < kSettlingGain;
  solve(program, tight, restore);  // the best they can do
  Motion proposed = proposed_motion(arena_, solution);
  std::vector<double> least = keep;
  for (double& l : least) l *= kFarKeep;
  for (int round = 0; round < kFarRounds; ++round) {
    // what the first order did not see
    const auto far = find_far_separations(arena_, separations, at_, proposed, least);
    if (far.empty()) break;
    for (const FarSeparation& f : far) add_far_separation(program, arena_, f, memory.shell);
    solve(program, tight, restore);
    proposed = proposed_motion(arena_, solution);
  }
  balance = balance_of(arena_, separations, at_, solution.y, kTouchGap * arena_.length_unit, keep);
  shared = proven_motion(arena_, separations, at_, proposed,
                         moving_gaps(arena_, separations, settings_.margin));
}

StepReport judge(const Arena& arena, const Attempt& attempt) {
  StepReport report = report_of(arena, attempt.balance);
  if (attempt.at_rest()) {
    report = rest_report(arena, attempt.balance);
  } else if (!attempt.kept()) {
    report.status = RunStatus::stuck;
    report.why = fmt::format(
        "no motion is free of overlap and lowers the energy: {:.1e} of a weight unbalanced, {:.1e} "
        "weights times radii to gain",
        attempt.balance.worst, attempt.balance.gain_left);
  }
  return report;
}

/// What the next step must know.
void learn(const Arena& arena, const PileSettings& settings, const SharedMotion& shared,
           TurningMemory& memory) {
  const double unit = arena.length_unit;
  for (std::size_t i = 0; i < memory.trust.size(); ++i)
    memory.trust[i] =
        next_trust(memory.trust[i], shared.motion.displacement[i], shared.motion.turn[i],
                   shared.share[i], arena.movers[i], memory.shell / unit, settings);
  memory.gain =
      shared.motion.gain / (arena.force_unit * unit * static_cast<double>(arena.movers.size()));
  if (memory.gain < kSmallGain * memory.shell / unit)
    memory.shell = std::max(kLastShell * unit, kShellFade * memory.shell);
  else if (memory.gain > kLargeGain * memory.shell / unit)
    memory.shell = std::min(kFirstShell * unit, memory.shell / kShellFade);
  fade_caution(memory);
}

}  // namespace

std::vector<double> tilt_room(const StepBounds& bounds) {
  std::vector<double> out;
  for (const double turn : bounds.turn) out.push_back(std::max(kLeastTilt, kTiltRoom * turn));
  return out;
}

bool rests(const Balance& balance, const PileSettings& settings) {
  return balance.worst <= settings.rest_force &&
         balance.gain_left <= std::max(settings.rest_gain, kDoublesGain);
}

StepReport report_of(const Arena& arena, const Balance& balance) {
  StepReport report;
  report.residual = balance.worst;
  report.body = arena.movers[balance.worst_mover].body;
  return report;
}

StepReport rest_report(const Arena& arena, const Balance& balance) {
  StepReport report = report_of(arena, balance);
  report.status = RunStatus::rest;
  report.why =
      fmt::format("contact forces balance every body to {:.1e} of its weight", balance.worst);
  return report;
}

void fade_caution(TurningMemory& memory) {
  memory.caution = std::max(kLeastCaution, kCautionFade * memory.caution);
}

void take(const Arena& arena, const Placement& to, State& state) {
  for (std::size_t i = 0; i < to.poses.size(); ++i)
    state.bodies[arena.movers[i].body].world_from_body = to.poses[i];
}

std::shared_ptr<const TurningMemory> first_turning_memory(const Arena& arena,
                                                          const PileSettings& settings) {
  auto out = std::make_shared<TurningMemory>();
  out->force_unit = arena.force_unit;
  out->shell = kFirstShell * arena.length_unit;
  out->caution = kLeastCaution;
  out->trust = first_trust(arena, settings);
  out->descent = first_descent(arena, settings);
  return out;
}

StepReport turning_step(const Arena& arena, const PileSettings& settings, Solvers& solvers,
                        State& state) {
  if (auto report = descent_step(arena, settings, *solvers.programs, solvers.interior, state))
    return *report;
  auto memory =
      std::make_shared<TurningMemory>(*std::static_pointer_cast<const TurningMemory>(state.memory));
  const Placement at = placement_of(arena, state);
  Attempt attempt(arena, settings, *solvers.programs, at);
  const double last_shell = kLastShell * arena.length_unit;
  for (int n = 0; n < kMaxTries; ++n) {
    for (const bool restore : {true, false}) {
      attempt.run(*memory, restore);
      if (attempt.at_rest() || attempt.kept()) break;
    }
    if (attempt.at_rest() && memory->shell > last_shell) {
      memory->shell = last_shell;  // balanced, but not yet near enough
      continue;
    }
    if (attempt.at_rest() || attempt.kept()) break;
    memory->shell = std::max(last_shell, kShellFade * memory->shell);
    memory->caution = 1.0;
    shrink_trust(arena, memory->trust);
  }
  StepReport report = judge(arena, attempt);
  state.contacts =
      contacts_of(arena, attempt.separations, attempt.solution.y, kTouchGap * arena.length_unit);
  state.step += 1;
  solvers.cost = {attempt.solution.iterations, attempt.solution.rows_used};
  if (report.status != RunStatus::moving) return report;
  take(arena, moved(arena, at, attempt.shared.motion, 1.0), state);
  learn(arena, settings, attempt.shared, *memory);
  memory->forces = piece_forces(attempt.separations, attempt.solution.y);
  state.memory = memory;
  return report;
}

}  // namespace repose::pile
