#pragma once

#include "repose/world/problem.h"

namespace repose {

/// Quiet for so long is rest, s.
inline constexpr double kQuietTime = 0.1;

/// s; after it no pull and no path changes anything from outside.
double last_change(const Problem& problem);

/// J; weight times size of all bodies that move: what kinetic energies are measured by.
double fall_energy(const Problem& problem);

/// Whether the kinetic energy has stayed at or below `most` for kQuietTime and nothing more comes
/// from outside. `quiet` counts how long it has, s; `h` is the step that led to `time`.
bool is_quiet(const Problem& problem, double time, double h, double kinetic, double most,
              double& quiet);

}  // namespace repose
