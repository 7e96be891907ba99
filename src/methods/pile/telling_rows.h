#pragma once

#include <span>
#include <vector>

#include "separations.h"

namespace repose::pile {

/// The separations that a step's program needs. Two bodies of many pieces have many places within
/// reach of each other, and beside a nearer place with nearly the same normal a place tells nothing
/// new: surfaces whose radii of curvature are about the size r of the smaller body part from gap g
/// to twice that within sqrt(2 r g). Rows of the same two pieces stay or go together, in their
/// order; where bodies touch, all stay. What is left out must still be looked at where the motion
/// ends, and proven.
std::vector<Separation> telling_rows(const Arena& arena, std::span<const Separation> separations);

}  // namespace repose::pile
