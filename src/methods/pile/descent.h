#pragma once

#include <array>
#include <span>
#include <tuple>
#include <vector>

#include "repose/solve/sparse_cholesky.h"

#include "step.h"
#include "trust.h"

namespace repose::pile {

/// A multiplier of the last step, by the two pieces and the place that it belongs to.
struct PointForce {
  int a = -1, b = -1, piece_a = -1, piece_b = -1;
  Vec3 point_body = Vec3::Zero();  // in b's frame, m
  double multiplier = 0.0;
  double full_slip = 0.0;  // where its friction is full, mean radii

  auto key() const { return std::tie(a, b, piece_a, piece_b); }
};

/// What the next descent must know of the last ones.
struct DescentMemory {
  /// What a step brings the product of every multiplier and gap to, weights times radii: how soft
  /// contacts are.
  double product = 0.0;
  std::vector<std::array<double, 2>> damping;  // by mover, weights per radius: of way and of turn
  std::vector<PointForce> forces;
  /// Largest force of drag beyond friction at a contact, mean weights; fades from step to step.
  double slides = 0.0;
};
DescentMemory first_descent(const Arena& arena, const PileSettings& settings);

/// One Newton step through the interior of what is free of overlap, towards the least of energy
/// minus `product` times the logarithm of every gap, with multipliers of their own (primal-dual
/// interior point, with the second derivatives of the gaps). Rows are made anew at each place, so
/// that every factorisation moves the pile. The energy never rises: where it would, a smaller
/// product is aimed at.
struct Descent {
  Motion proposed;                  // the rows hold all along it
  std::vector<double> multipliers;  // by separation
  std::vector<double> full_slips;   // by separation; empty: without friction
  double product = 0.0;             // that was aimed at
  double share = 1.0;               // of the Newton step that rows and bounds leave
  double held = 0.0;                // largest force of damping on a mover, mean weights
  double slides = 0.0;  // largest force of drag beyond friction at a contact, mean weights
};
/// `program` holds a row for each separation; those found at the end of the motion, of all `pairs`
/// that are within reach, are added. `trust` says how the movers went in the last step, for
/// `friction` at the contacts.
Descent descend(const Arena& arena, const Placement& at, std::span<const Separation> separations,
                std::span<const Separation> pairs, StepProgram& program, const StepBounds& bounds,
                std::span<const Trust> trust, double friction, solve::SparseCholesky& cholesky,
                DescentMemory& memory);

/// What the step's contacts push with, in order of their keys.
std::vector<PointForce> point_forces(const Placement& at, std::span<const Separation> separations,
                                     const Descent& descent);

/// What the next descent must know after a step of that gain (weights times radii per mover) of
/// which every mover took at least `least_share`.
void learn_descent(const Descent& descent, double gain, double least_share, DescentMemory& memory);

}  // namespace repose::pile
