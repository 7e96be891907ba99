#pragma once

#include "arena.h"

namespace repose::surfel {

/// The phyxels that each push and pull of the scene acts on: those named; those that carry a named
/// ball; those about the force's point, which goes with the matter; the whole body by its mass
/// where that point is its origin or its centre. Errors name the force.
Result<std::vector<Load>> loads_of(const Problem& problem, const Arena& arena);

}  // namespace repose::surfel
