#pragma once

#include "step.h"

namespace repose::pile {

/// What one pre-settling step must know of the last. Lengths in mean radii, times in the unit in
/// which a mean weight speeds a mean ball up by one mean radius per square of it.
struct SoftFall {
  bool done = false;           // the shells have done what they can
  double force = 0.0;          // mean weights that a shell bears when it is pressed flat
  double dt = 0.0;             // of the descent
  double mix = 0.0;            // share of each velocity that is turned along the force
  int downhill = 0;            // iterations since the descent last went uphill
  int rounds = 0;              // iterations so far
  std::vector<Vec3> velocity;  // by mover, m per unit of time
};

/// First state of the descent.
SoftFall start_soft_fall(const Arena& arena);

/// How far a ball may go in one pre-settling step, m, by mover: separations within it are needed.
std::vector<double> soft_reach(const Arena& arena);

/// A cheap approach to rest for balls: every ball wears a soft shell, which bears its contacts, and
/// the pile runs down the sum of potential and shell energies with the fast inertial relaxation
/// engine (Bitzek and others 2006) until balls lie on one another. The motion
/// answered is straight, and kept only if every pair is free of overlap all along it and the
/// potential falls. `fall` becomes what the next such step needs; its `done` says that the shells
/// have done what they can.
Motion soft_fall(const Arena& arena, const Placement& at, std::span<const Separation> separations,
                 std::span<const double> keep, SoftFall& fall);

}  // namespace repose::pile
