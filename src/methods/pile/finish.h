#pragma once

#include <optional>

#include "repose/solve/sparse_cholesky.h"

#include "known_forces.h"
#include "step.h"

namespace repose::pile {

/// Newton's step of balls near rest. Where the contacts that carry force are known, the place of
/// least energy at which they touch solves
///   grad E(x) = J' y,   g(x) = keep,
/// g the gaps of those contacts, J their derivative and y the forces. One step of Newton's method:
///   H dx - J' y = -grad E,   J dx = keep - g,   H = grad^2 E - sum of y grad^2 g,
/// where grad^2 g = (I - n n') / d for two balls whose centres are d apart along n (a wall counts
/// as flat). It sees what a step's program does not: how a force turns as balls roll over each
/// other. The error of the next step is of the order of the square of this one's.
///
/// Sliding by t along its half-space opens a contact by t^2 / (2 d), which would cost more energy
/// than the step wins: the way is led back by that much, and is no longer than what the gaps keep
/// allows. Contacts that would pull are let go and gaps that would close join until the set holds.
///
/// The answer is that of a step's program, x and y by separation, to be verified as such. Nothing
/// where H is not positive on the motions that the contacts leave (the place is no minimum), where
/// no set of contacts holds or where the step is too long. `known` are the forces of the last step;
/// `conserve` holds what has no reason to move, as in a step's program.
std::optional<solve::LpSolution> newton_finish(const Arena& arena, const Placement& at,
                                               std::span<const Separation> separations,
                                               std::span<const double> keep,
                                               const StepBounds& bounds, const KnownForces& known,
                                               double conserve, solve::SparseCholesky& cholesky);

}  // namespace repose::pile
