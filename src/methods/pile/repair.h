#pragma once

#include "arena.h"
#include "program.h"

namespace repose::pile {

/// Moves overlapping bodies apart by little: rounds of least sum of squared ways (and turns times
/// radius) that part every overlapping pair to first order. True if nothing overlaps afterwards;
/// else the state is as it was.
bool repair_start(const Arena& arena, const PileSettings& settings, State& state);

}  // namespace repose::pile
