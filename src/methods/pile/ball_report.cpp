#include "ball_report.h"

#include <fmt/format.h>

#include "friction.h"
#include "stability.h"
#include "turning.h"

namespace repose::pile {

StepReport ball_report(const Arena& arena, const PileSettings& settings,
                       const solve::LpSolution& solution, const Motion& motion,
                       const Balance& balance) {
  StepReport report;
  report.residual = balance.worst;
  report.body = arena.movers[balance.worst_mover].body;
  // where no motion is left to take, doubles leave no more to gain either
  const bool balanced = balance.worst <= settings.rest_force;
  if (balanced && (balance.gain_left <= settings.rest_gain ||
                   (!motion.kept && balance.gain_left <= kDoublesGain))) {
    report.status = RunStatus::rest;
    report.why =
        fmt::format("contact forces balance every body to {:.1e} of its weight", balance.worst);
  } else if (!motion.kept) {
    report.status = RunStatus::stuck;
    report.why = fmt::format(
        "the program of the step ended {} without a motion to take: {:.1e} of a weight unbalanced, "
        "{:.1e} weights times radii to gain",
        to_text(solution.status), balance.worst, balance.gain_left);
  }
  return report;
}

void look_closer(const Problem& problem, const Arena& arena, const PileSettings& settings,
                 const Placement& at, std::span<const Separation> separations,
                 std::span<const double> multipliers, solve::LpSolver& solver, StepReport& report,
                 State& state) {
  const double touch = kTouchGap * arena.length_unit;
  if (report.status == RunStatus::rest) {
    if (is_held(arena, separations, multipliers, touch)) return;
    const Saddle saddle = find_saddle(arena, at, settings, solver);
    if (!saddle.found) return;
    report.status = RunStatus::metastable;
    report.body = arena.movers[saddle.mover].body;
    report.why = fmt::format("balanced, but a small push lets the pile lose {:.1e} J", saddle.gain);
  } else if (settings.friction) {
    FrictionHold hold = friction_hold(arena, at, separations, touch, settings, solver);
    if (!hold.holds) return;
    report.status = RunStatus::rest;
    report.residual = hold.worst;
    report.why = fmt::format("friction holds every body to {:.1e} of its weight", hold.worst);
    state.contacts = std::move(hold.contacts);
  } else {
    name_endless_fall(problem, arena, at, separations, report);
  }
}

void name_endless_fall(const Problem& problem, const Arena& arena, const Placement& at,
                       std::span<const Separation> near, StepReport& report) {
  const int lost = find_endless_fall(arena, at, near);
  if (lost < 0) return;
  const Vec3 ray = arena.potentials.push[lost].normalized();
  report.status = RunStatus::stopped;
  report.body = arena.movers[lost].body;
  report.why = fmt::format(
      "the potential has no least value: {} falls for ever along ({:.6g}, {:.6g}, {:.6g})",
      problem.bodies[report.body].name, ray.x(), ray.y(), ray.z());
}

}  // namespace repose::pile
