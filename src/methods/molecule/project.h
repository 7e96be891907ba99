#pragma once

#include <vector>

#include "friction.h"

namespace repose::molecule {

struct ProjectSettings {
  int max_sweeps = 400;
  double tolerance = 0.0;  // m/s, of what rows lack or push too much
  bool friction = true;
  bool together = true;  // false: one impulse a contact, one after the other
};

/// A row of molecules against each other or against what stands still, by itself: most are such,
/// and sweeps over them are most of the work.
struct Lean {
  Lanes normal{};
  int upper = -1, lower = -1;  // lower -1: stands still; upper -1: see the row itself
  double share_upper = 0.0, share_lower = 0.0;  // 1/kg
  double target = 0.0, inverse_diagonal = 0.0, impulse = 0.0;
};

/// Memory that is used again from step to step.
struct ProjectSpace {
  std::vector<Friction> frictions;
  std::vector<Lean> leans;
  std::vector<Lean> active;  // those that push, for conjugate gradients
  std::vector<bool> has_friction;
  Grips grips;
  Flow flow;  // velocities as they are worked on
  Flow made;  // by a direction of impulses
};

struct Projection {
  int sweeps = 0;
  double worst = 0.0;  // m/s; how far a row is from its best
  int merged = 0;      // rows whose two sides had to move as one
};

/// The velocities nearest to those of `motion`, in the norm of the masses, that satisfy all rows,
/// with Coulomb friction: a warm-started projected Gauss-Seidel, which hands the active rows to
/// conjugate gradients where it is slow (Morales, Nocedal, Smelyanskiy 2008). Every row ends at
/// `least` or above, except among led and fixed things alone: what the sweeps leave below is merged
/// into clusters that move as one.
///
/// Rows bring the impulses of the last step, and leave with those of this one. Where `started`, the
/// velocities of `motion` hold them already.
Projection project(const Arena& arena, std::vector<Row>& rows, bool started, Motion& motion,
                   const ProjectSettings& s, ProjectSpace& space);

/// Merges the two sides of every row that is below `least` into clusters that keep their momentum
/// and angular momentum, until there is none; answers how many were merged. Points of a cluster
/// move with v + w x r, along which no distance shrinks.
int merge_open_rows(const Arena& arena, const std::vector<Row>& rows, Motion& motion);

/// Conjugate gradients on the rows that push, as leans hold them; for project.
void minimise_active(const Arena& arena, const std::vector<Row>& rows, ProjectSpace& space,
                     int rounds, double tolerance);

}  // namespace repose::molecule
