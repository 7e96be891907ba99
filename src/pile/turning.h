#pragma once

#include <memory>

#include "curvature.h"
#include "step.h"
#include "trust.h"

namespace repose::pile {

/// What the next step of bodies that are no balls must know of the last ones.
struct TurningMemory : MethodMemory {
  /// What touching bodies keep free, m: room for what a linear program does not see of turning.
  /// Shrinks as the pile settles (Milenkovic 1996, section 3.3.3: the smoothing sphere).
  double shell = 0.0;
  double caution = 0.0;            // of the quadratic that stands for the links
  double gain = 1e300;             // of the last step, weights times radii, per mover
  std::vector<Trust> trust;        // by mover
  std::vector<PieceForce> forces;  // of the last program
};

std::shared_ptr<const TurningMemory> first_turning_memory(const Arena& arena,
                                                          const PileSettings& settings);

/// One step of a pile in which not all bodies are balls. `last` receives the program's solution.
StepReport turning_step(const Arena& arena, const PileSettings& settings, LpSolver& solver,
                        State& state, LpSolution& last);

/// Where pieces come nearer than `least` (m, by separation) at the end of a motion.
std::vector<FarSeparation> find_far_separations(const Arena& arena,
                                                std::span<const Separation> separations,
                                                const Placement& from, const Motion& motion,
                                                std::span<const double> least);

/// The program's point as a motion of turning bodies: each body goes the share of it for which all
/// its pairs are proven free of overlap all the way, so that one that is blocked does not stop the
/// others. `least` (m, by separation) is kept free meanwhile. `share` of the answer is the least of
/// all.
struct SharedMotion {
  Motion motion;
  std::vector<double> share;  // by mover
};
SharedMotion proven_motion(const Arena& arena, std::span<const Separation> separations,
                           const Placement& from, const Motion& proposed,
                           std::span<const double> least);

}  // namespace repose::pile
