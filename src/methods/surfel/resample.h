#pragma once

#include "remake.h"

namespace repose::surfel {

/// Adds balls where the surface of a body that flows is stretched so far that its balls would part.
std::vector<BodyChange> resample_surfaces(const Arena& arena, const Problem& problem,
                                          const SurfelSettings& settings, const Motion& motion,
                                          State& state);

}  // namespace repose::surfel
