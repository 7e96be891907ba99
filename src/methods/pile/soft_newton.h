#pragma once

#include "repose/solve/sparse_cholesky.h"

#include "known_forces.h"
#include "step.h"

namespace repose::pile {

/// What one step of the second-order descent must know of the last. Lengths in mean radii, forces
/// in mean weights.
struct SoftNewton {
  double product = 0.0;     // of force and gap: how soft contacts are
  double damping = 0.0;     // of every ball, weights per radius
  double bend = 0.0;        // share of the contacts' own curvature that is in the matrix
  int rounds = 0;           // factorisations so far
  bool done = false;        // the linear programs go on from here
  KnownForces multipliers;  // of the barrier
  KnownForces forces;       // of the contacts
  /// Where the descent is, from the state that was taken last, by mover; empty: there.
  std::vector<Vec3> ahead;
};
/// First state of the descent.
SoftNewton start_soft_newton(const Arena& arena);

/// How far a ball may go in the next such step, m, by mover: separations within it are needed.
std::vector<double> soft_newton_reach(const Arena& arena, const SoftNewton& fall);

/// Balls that lie on one another run down to the least of gravity and a soft barrier
/// (`SoftBarrier`) by Newton's method, one factorisation a round; where the forces of the barrier
/// balance, its product becomes smaller, until contacts are as good as hard. A matrix that is not
/// positive definite is given less of the contacts' own curvature, and damping where that is not
/// enough. What a ball has unbalanced damps it in proportion, so that loose ones do not fly off and
/// the method still converges quadratically.
///
/// The motion answered leads over several rounds, is straight, and kept only if every pair is free
/// of overlap all along it and the potential falls. `fall` becomes what the next such step needs;
/// its `done` says that the barrier has done what it can. Requires: no links.
Motion soft_newton(const Arena& arena, const Placement& at, std::span<const Separation> separations,
                   std::span<const double> keep, solve::SparseCholesky& cholesky, SoftNewton& fall);

}  // namespace repose::pile
