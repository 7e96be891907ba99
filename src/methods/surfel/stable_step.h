#pragma once

#include "arena.h"

namespace repose::surfel {

/// s; the step at which the stiffest swing of any body at rest is on the verge of growing: 2 over
/// its angular frequency, found by power iteration on the forces and taken smaller by a margin.
/// Infinite where nothing is elastic.
double stable_step_of(const Arena& arena, Stress law);

}  // namespace repose::surfel
