#pragma once

#include <optional>

#include "turning.h"

namespace repose::pile {

/// One turning step through the interior, while contacts are soft; nothing where that leads no
/// further.
std::optional<StepReport> descent_step(const Arena& arena, const PileSettings& settings,
                                       solve::LpSolver& solver, solve::SparseCholesky& cholesky,
                                       State& state);

}  // namespace repose::pile
