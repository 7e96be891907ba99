#pragma once

#include <span>
#include <vector>

#include "program.h"

namespace repose::pile {

/// Draws a step on along the last one. Two balls whose centres are d apart and whose contact
/// carries the force y open a gap of t^2 / (2 d) when they slide by t along their half-space, worth
/// y t^2 / (2 d) to the step after. The linear part of that worth about the last displacements
/// `way` (m, by mover), times `share`, is taken off the cost. It vanishes as the bodies come to
/// rest. `multipliers` are those of the last step, by row.
void carry_on(const Arena& arena, const Placement& at, std::span<const Separation> separations,
              std::span<const double> multipliers, std::span<const Vec3> way, double share,
              solve::LinearProgram& lp);

}  // namespace repose::pile
