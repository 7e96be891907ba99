#pragma once

#include "repose/world/method.h"

namespace repose {

/// Makes the problem follow what a step made of bodies: parts take their places, ids and names;
/// forces on points go with the points; forces at a place and joints stay with the first part.
/// Requires: `changes` fit the problem, and `bodies` states came of them.
void take_changes(const std::vector<BodyChange>& changes, std::size_t bodies, Problem& problem);

}  // namespace repose
