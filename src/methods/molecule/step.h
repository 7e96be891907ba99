#pragma once

#include "repose/molecule/settings.h"

#include "elasticity.h"
#include "memory.h"
#include "near.h"
#include "project.h"
#include "skin_solids.h"

namespace repose::molecule {

/// What is worth keeping from step to step; it saves work and changes no result.
struct StepCache {
  NearSearch search;
  ProjectSpace space;
  std::vector<Row> rows;  // of the last substep, with their impulses
  SolidSkins solid_skins;
  SpringSpace springs;
  double damping_h = 0.0;               // s; the step that `damping_masses` is for
  std::vector<double> damping_masses;   // kg, per spring
  bool damped_twice = false;            // in two goes of half a step
  double stable_h = 0.0, stable = 0.0;  // s; stable_step_damped for that step

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
  double h = 0.0;       // s, that the step took; 0 where it is stuck
  bool stuck = false;   // nothing gives way before a led solid
  int stuck_body = -1;  // that solid; -1: not known
};

/// One step of the engine `proven`: an iteration h, or as much of it as stability and speed allow.
/// Everything moves straight on from its start to its end, and no two things overlap on the way.
StepOutcome step_proven(const Stage& stage, double time, double h, Motion& motion, Memory& memory);

/// One iteration of the engine `paper`: equations 3.6 to 3.9.
StepOutcome step_paper(const Stage& stage, double time, double h, Motion& motion, Memory& memory);

/// s; largest stable step of the engine `paper`, penalty springs included.
double stable_step_of_paper(const Arena& arena, const std::vector<double>& body_mass,
                            const MoleculeSettings& settings);

/// Gravity, springs, damping, pulls and drags act on velocities for a step; `pressed` gets the
/// springs pressed to near their least length. Led solids get the velocity of their way.
void push_freely(const Stage& stage, double time, double h, Motion& motion,
                 std::vector<int>& pressed);

/// Everything goes on with its velocity for a step that ends at `time`.
void advance(const Arena& arena, double time, double h, Motion& motion);

}  // namespace repose::molecule
