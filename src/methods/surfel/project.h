#pragma once

#include "rows.h"

namespace repose::surfel {

struct ProjectSettings {
  int max_sweeps = 200;
  double tolerance = 0.0;  // m/s, of a row's target
  bool friction = true;
};

struct Projection {
  int sweeps = 0;
  double worst = 0.0;  // m/s; how far a row was from its target at the last look
};

/// Pushes with the impulses that a row brings from the step before.
void push_with(const Arena& arena, const Rows& rows, const Row& row, Motion& motion);

/// The velocities nearest to those of `motion`, in the norm of the masses, that satisfy all rows,
/// with Coulomb friction: projected Gauss-Seidel. The velocities hold the rows' impulses already.
Projection project(const Arena& arena, Rows& rows, const ProjectSettings& s, Motion& motion);

/// Two bodies that would come too near.
struct Open {
  std::array<int, 2> bodies{-1, -1};  // upper, lower; a lower one may be held
  double share = 0.0;                 // of its relative motion that would still be free
};

/// Bodies joined by open pairs take part of their motion relative to one another only: as much as
/// leaves every pair apart. Islands that touch nothing held keep their momentum, all others come
/// nearer to standing still. Answers how many bodies were slowed.
int slow_down(const Arena& arena, const std::vector<Open>& open, Motion& motion);

}  // namespace repose::surfel
