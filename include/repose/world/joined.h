#pragma once

#include <utility>
#include <vector>

#include "repose/world/problem.h"

namespace repose {

/// A joint that holds two bodies at a point (pin, weld, slider, point on a line) lets them pass one
/// another: links overlap where they are pinned. Not so where it says `collides`.
bool lets_pass(const Joint& joint);

/// The pairs of bodies that a joint lets pass, as indices into Problem::bodies, the smaller first;
/// sorted, each once.
std::vector<std::pair<int, int>> passing_pairs(const Problem& problem);

}  // namespace repose
