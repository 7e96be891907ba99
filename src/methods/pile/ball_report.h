#pragma once

#include "step.h"

namespace repose::pile {

/// What a step of balls comes to: rest where forces that balance at contacts that touch prove the
/// optimum at the current place by themselves, stuck where there is no motion to take.
StepReport ball_report(const Arena& arena, const PileSettings& settings,
                       const solve::LpSolution& solution, const Motion& motion,
                       const Balance& balance);

/// What balls do beside moving and resting: held by friction (its forces become the contacts of
/// `state`), balanced on a saddle, falling for ever.
void look_closer(const Problem& problem, const Arena& arena, const PileSettings& settings,
                 const Placement& at, std::span<const Separation> separations,
                 std::span<const double> multipliers, solve::LpSolver& solver, StepReport& report,
                 State& state);

/// A body whose force leads it past everything ends the run, with the ray.
void name_endless_fall(const Problem& problem, const Arena& arena, const Placement& at,
                       std::span<const Separation> near, StepReport& report);

}  // namespace repose::pile
