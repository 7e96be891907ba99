#pragma once

#include <memory>
#include <vector>

#include "repose/world/state.h"

#include "near.h"
#include "paper_held.h"
#include "rows.h"

namespace repose::surfel {

/// What a contact carried in the last step, to start the next from.
struct Carried {
  RowKey key;
  double force = 0.0;        // N, along the normal
  Vec3 drag = Vec3::Zero();  // N; friction on the upper side
};

/// Sums since the start.
struct Effort {
  long steps = 0, rounds = 0, sweeps = 0, rows = 0;
  int most_rows = 0;  // of a step
  long slowed = 0;    // bodies whose motion had to be cut short, summed over steps
  int parted = 0;     // bodies that were made by tearing
  int resampled = 0;  // balls that were added
  long inverted = 0;  // phyxels with a flat or inverted neighbourhood, summed over steps
};

struct Memory final : MethodMemory {
  std::vector<Carried> carried;    // sorted by key
  double next_look = 0.0;          // s; when surfaces are looked at for holes again
  double quiet = 0.0;              // s, since the kinetic energy was last above that of rest
  double worst_gap = 0.0;          // m, along the planes at the end of the last step
  double last_step = 0.0;          // s
  int inverted = 0;                // phyxels, at the last look
  std::vector<Vec3> paper_forces;  // N, on phyxels: what contact surfels of the last step gave them
  std::shared_ptr<const HeldContacts> paper;  // what contact handling found last; paper engine
  double paper_solids = 0.0;                  // m; how far solids have gone since
  double paper_slid = 0.0;    // m; how far surfels that push have slid along each other since
  bool let_in = false;        // a step of the paper's let bodies in
  bool paper_pushed = false;  // springs of contacts push phyxels, or may next
  std::shared_ptr<const HeldSelves> paper_selves;
  int colliding = 0;  // surfels within another body, paper engine
  Effort effort;
};

}  // namespace repose::surfel
