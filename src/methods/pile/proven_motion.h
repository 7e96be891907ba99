#pragma once

#include <span>
#include <vector>

#include "step.h"

namespace repose::pile {

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
