#pragma once

#include "repose/check/input.h"
#include "repose/world/problem.h"
#include "repose/world/state.h"

namespace repose {

/// The problem at this state as the judge sees it: bodies, weights, pushes and springs as loads,
/// joints as what they can carry.
check::Input judge_input(const Problem& problem, const State& state);

}  // namespace repose
