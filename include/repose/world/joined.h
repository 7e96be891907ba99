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

/// Names under which Joint::values holds how its bodies stand to one another when it is made.
inline constexpr const char* kLengthAtStart = "length_at_start";  // m, between its two points
inline constexpr const char* kTurnAtStart =
    "turn_at_start";  // of b against a, as a rotation vector
/// Writes them down. Poses are world_from_body; that of the world where there is no second body.
void note_start(Joint& joint, const Pose& a, const Pose& b);

}  // namespace repose
