#pragma once

#include <vector>

#include "repose/world/state.h"

#include "rows.h"

namespace repose::molecule {

/// What a contact carried in the last step, to start the next from.
struct Carried {
  RowKey key;
  double force = 0.0;        // N, along the normal
  Vec3 drag = Vec3::Zero();  // N; friction on the upper side
};

/// What a step came to; sums since the start.
struct Effort {
  long steps = 0, sweeps = 0, rows = 0;
  long merged = 0;    // rows whose sides had to move as one
  long held = 0;      // steps in which nothing could be proven but standing still
  int most_rows = 0;  // of a step
};

struct Memory final : MethodMemory {
  std::vector<Carried> carried;     // sorted by key
  double left = 0.0;                // s, of the iteration begun; 0: the next one begins
  double quiet = 0.0;               // s, since the kinetic energy was last above that of rest
  double worst_gap = 0.0;           // m, smallest at the end of the last step
  double worst_gap_relative = 0.0;  // of the sum of the radii
  bool skins_apart = false;         // skins are kept apart and were found so
  bool let_in = false;              // a step of the paper's let bodies in
  std::vector<Vec3> force;  // N, per body of the problem: sum of all contacts of the last step
  Effort effort;
};

}  // namespace repose::molecule
