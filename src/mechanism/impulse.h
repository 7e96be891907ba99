#pragma once

#include "repose/mechanism/impulses.h"

namespace repose::mechanism {

/// The problem as a blow meets it: friction static, forces with a finite limit too weak to matter.
ForceProblem blow_problem(const ForceProblem& problem);

/// v = J W J' p + b and the energy given to the bodies, sum p (v- + v+) / 2.
void finish(const ForceProblem& before, Impulses& impulses);

/// One solve for all contacts with `share` of the restitution.
void strike_at_once(const ForceProblem& before, std::span<const double> restitution, double share,
                    const ForceSettings& settings, Impulses& impulses);

/// One contact after the other. Sets restitution_used to 0 if a blow had to do without.
void strike_in_turn(const ForceProblem& before, std::span<const double> restitution,
                    const ImpulseSettings& settings, Impulses& impulses);

/// Whether impulses p give the bodies more energy than rounding explains.
bool gains_energy(const ForceProblem& before, std::span<const double> p);

}  // namespace repose::mechanism
