#pragma once

#include "repose/mechanism/impulses.h"

namespace repose::mechanism {

/// The problem as a blow meets it: friction static, forces with a finite limit too weak to matter.
ForceProblem blow_problem(const ForceProblem& problem);

/// v = J W J' p + b and the energy given to the bodies, sum p (v- + v+) / 2.
void finish(const ForceProblem& before, Impulses& impulses);

/// A solver for blows: no step follows one, so its redundant forces need no room on all sides.
ForceSolver blow_solver(const ForceSettings& settings);

/// solve_impulses with a solver that is kept from blow to blow and a partition to try first, empty
/// where none is known.
Impulses strike(const ForceProblem& problem, std::span<const double> restitution,
                const ImpulseSettings& settings, std::span<const RowState> start,
                ForceSolver& solver);

/// Makes the answer of one solve that of the blow; the residual stays the caller's to tell.
void take(const Forces& forces, Impulses& impulses);

/// One solve for all contacts with `share` of the restitution.
void strike_at_once(const ForceProblem& before, std::span<const double> restitution, double share,
                    std::span<const RowState> start, ForceSolver& solver, Impulses& impulses);

/// One contact after the other. Sets restitution_used to 0 if a blow had to do without.
void strike_in_turn(const ForceProblem& before, std::span<const double> restitution,
                    const ImpulseSettings& settings, Impulses& impulses);

/// Whether impulses p give the bodies more energy than rounding explains.
bool gains_energy(const ForceProblem& before, std::span<const double> p);

}  // namespace repose::mechanism
