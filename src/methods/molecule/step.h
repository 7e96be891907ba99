#pragma once

#include "repose/molecule/settings.h"

#include "memory.h"
#include "near.h"
#include "project.h"

namespace repose::molecule {

/// What is worth keeping from step to step; it saves work and changes no result.
struct StepCache {
  NearSearch search;
  ProjectSpace space;
  std::vector<Row> rows;               // of the last substep, with their impulses
  std::vector<Vec3> impulses;          // of springs; N s
  double damping_h = 0.0;              // s; the substep that `damping_masses` is for
  std::vector<double> damping_masses;  // kg, per spring

  void clear();
};

/// What every step of a run reads.
struct Stage {
  const Arena& arena;
  const Problem& problem;
  const MoleculeSettings& settings;
  StepCache& cache;
};

struct StepOutcome {
  double h = 0.0;       // s, of the last substep
  double done = 0.0;    // s, of the iteration; less than all of it where the step is stuck
  int stuck_body = -1;  // a led body whose way is blocked; -1: none
};

/// One iteration of the engine `proven`: as many substeps as stability and speed ask for. At their
/// ends and between them no two things overlap.
StepOutcome step_proven(const Stage& stage, double time, double h, Motion& motion, Memory& memory);

/// One iteration of the engine `paper`: equations 3.6 to 3.9.
StepOutcome step_paper(const Stage& stage, double time, double h, Motion& motion, Memory& memory);

/// s; largest stable step of the engine `paper`, penalty springs included.
double stable_step_of_paper(const Arena& arena, const Problem& problem,
                            const MoleculeSettings& settings);

/// Gravity, springs, damping, pulls and drags act on velocities for a step; `pressed` gets the
/// springs pressed to near their least length. Led solids get the velocity of their way.
void push_freely(const Stage& stage, double time, double h, Motion& motion,
                 std::vector<int>& pressed);

/// Everything goes on with its velocity for a step that ends at `time`.
void advance(const Arena& arena, double time, double h, Motion& motion);

}  // namespace repose::molecule
