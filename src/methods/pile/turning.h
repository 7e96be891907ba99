#pragma once

#include <memory>
#include <optional>

#include "curvature.h"
#include "descent.h"
#include "solvers.h"
#include "step.h"
#include "trust.h"

namespace repose::pile {

/// What the next step of bodies that are no balls must know of the last ones.
struct TurningMemory : PileMemory {
  /// What touching bodies keep free, m: room for what a linear program does not see of turning.
  /// Shrinks as the pile settles (Milenkovic 1996, section 3.3.3: the smoothing sphere).
  double shell = 0.0;
  double caution = 0.0;            // of the quadratic that stands for the links
  double gain = 1e300;             // of the last step, weights times radii, per mover
  std::vector<Trust> trust;        // by mover
  std::vector<PieceForce> forces;  // of the last program
  DescentMemory descent;
  int polished = 0;  // steps taken since forces first balanced the bodies
};

/// Bodies nearer than this touch, in mean radii: the margin kept and what a last step leaves.
constexpr double kTouchGap = 1e-6;
/// The shell at first and at last, in mean radii.
constexpr double kFirstShell = 1e-2, kLastShell = 1e-7;

std::shared_ptr<const TurningMemory> first_turning_memory(const Arena& arena,
                                                          const PileSettings& settings);

/// One step of a pile in which not all bodies are balls.
StepReport turning_step(const Arena& arena, const PileSettings& settings, Solvers& solvers,
                        State& state);

// parts of both kinds of step

/// How far faces and edges may lean and still touch as such, rad by mover.
std::vector<double> tilt_room(const StepBounds& bounds);
bool rests(const Balance& balance, const PileSettings& settings);
StepReport report_of(const Arena& arena, const Balance& balance);
StepReport rest_report(const Arena& arena, const Balance& balance);
void fade_caution(TurningMemory& memory);
/// Puts the bodies where they have gone.
void take(const Arena& arena, const Placement& to, State& state);

}  // namespace repose::pile
