#pragma once

#include "repose/world/problem.h"
#include "repose/world/state.h"

namespace repose {

/// Least height of a body's centre of mass over a level ground among the turns next to the given
/// one, by a search that knows nothing of contacts: for a turn the height is that of the farthest
/// point of a fine mesh below the centre, and turns are tried in rings that shrink. The error is
/// the chord of the mesh (some 1e-5 of the body's size).
double least_height_near(const Body& body, const Quat& turn);

}  // namespace repose
