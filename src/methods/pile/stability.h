#pragma once

#include "program.h"

namespace repose::pile {

/// What a small push does to balls at rest.
struct Saddle {
  bool found = false;
  int mover = -1;     // the one that goes farthest
  double gain = 0.0;  // J lost within a tenth of a radius
};

/// True if the contacts that carry force hold every ball in all directions: then whatever moves
/// raises the energy at first order, and the pile lies in a minimum. Proven by a factorisation;
/// where it answers false nothing is said (a ball that may roll on the floor). Only without links.
bool is_held(const Arena& arena, std::span<const Separation> separations,
             std::span<const double> multipliers, double touch_gap);

/// Pushes every ball of a balanced pile a little, each in its own direction, and lets the pile go
/// on from there: where it then lies lower than before, its balance was that of a saddle (a ball
/// on top of a ball). Balls that are only free to roll lie no lower. Requires: nothing but balls
/// moves.
Saddle find_saddle(const Arena& arena, const Placement& at, const PileSettings& settings,
                   solve::LpSolver& solver);

/// A mover that nothing will ever stop, if there is one; -1: none. Looked at where gravity and
/// constant forces alone act: the ray from the mover along its force misses every wall and every
/// other mover.
int find_endless_fall(const Arena& arena, const Placement& at, std::span<const Separation> near);

}  // namespace repose::pile
