#pragma once

#include <string>

#include "repose/world/problem.h"
#include "repose/world/state.h"

namespace repose {

/// What the scene itself tells of a run that did not come to its end: bodies that fell past
/// everything, lengths that look like those of another unit. Empty where it tells nothing.
std::string scene_remedy(const Problem& problem, const State& state);

}  // namespace repose
