#pragma once

#include "memory.h"
#include "rows.h"
#include "solids.h"

namespace repose::surfel {

/// What is worth keeping from step to step; it saves work and changes no result.
struct StepCache {
  NearSearch search;
  SolidContacts solids;
  std::vector<Vec3> forces;
  Rows rows;                            // of the last step, with their impulses
  std::vector<Contact> paper_contacts;  // contact surfels of the last step

  void clear() { *this = StepCache(); }
};

/// What every step of a run reads.
struct Stage {
  const Arena& arena;
  const Problem& problem;
  const SurfelSettings& settings;
  StepCache& cache;
};

struct StepOutcome {
  double h = 0.0;       // s
  int stuck_body = -1;  // a led body that nothing gives way to; nothing has moved then
};

/// One step in which every ball goes straight. At its end and on the way no two balls that do not
/// belong together overlap, and none overlaps a solid.
StepOutcome step_proven(const Stage& stage, double time, Motion& motion, Memory& memory);

}  // namespace repose::surfel
