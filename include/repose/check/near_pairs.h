#pragma once

#include <array>
#include <vector>

#include "repose/check/input.h"

namespace repose::check {

/// Pairs of bodies whose bounding balls are nearer than `within` times the smaller one's size, each
/// with first < second, in increasing order; a few a little farther apart may be among them. Pairs
/// of two fixed bodies and pairs that cannot meet are left out.
std::vector<std::array<int, 2>> near_pairs(const std::vector<PlacedBody>& bodies, double within);

}  // namespace repose::check
