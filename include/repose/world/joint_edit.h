#pragma once

#include "repose/base/result.h"
#include "repose/world/problem.h"
#include "repose/world/state.h"

namespace repose {

/// The joint that an edit "join" puts in. Without `point_b` both bodies are held where the first
/// one's point stands in `state`.
Result<Joint> joint_of(const Edit& edit, const Problem& problem, const State& state);

/// The weld that an edit "attach" or "stick" puts between two bodies as they stand; they stay
/// apart.
Joint weld_of(int body, int other, const Problem& problem, const State& state);

}  // namespace repose
