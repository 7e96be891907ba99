#pragma once

#include "repose/world/method.h"

#include "arena.h"
#include "known_forces.h"
#include "presettle.h"
#include "soft_newton.h"
#include "solvers.h"

namespace repose::pile {

/// The caution with which links are modelled, at least.
inline constexpr double kLeastCaution = 1e-3;

/// What the next step of balls must know of the last ones.
struct BallMemory : PileMemory {
  SoftFall soft_fall;              // before the first program: from afar
  SoftNewton soft_newton;          // ... and where balls lie on one another
  double caution = kLeastCaution;  // of the quadratic that stands for the links
  double gain = 1e300;             // of the last step, weights times radii, per mover
  double farthest = 0.0;           // the last step's farthest way, mean radii; 0: not known
  std::vector<Vec3> way_before;    // the last displacements by mover, m; empty: none
  std::vector<double> fall;        // by mover, m: depth of upright bounds, half width of others
  KnownForces forces;              // of the last program
  /// Gaps that are narrower than the margin are opened to it. False once that could not be done:
  /// balls that fit their box exactly leave no room for margins.
  bool restores = true;

  bool presettled() const { return soft_fall.done && soft_newton.done; }
  /// Soft contacts came first; what the programs find is flow of the whole pile by short ways.
  bool flows() const { return soft_newton.rounds > 0; }
};
std::shared_ptr<const BallMemory> first_ball_memory(const Arena& arena,
                                                    const PileSettings& settings);

/// One step of a pile of balls.
StepReport ball_step(const Problem& problem, const Arena& arena, const PileSettings& settings,
                     Solvers& solvers, State& state);

}  // namespace repose::pile
