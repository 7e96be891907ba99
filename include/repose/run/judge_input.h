#pragma once

#include "repose/check/input.h"
#include "repose/world/problem.h"
#include "repose/world/state.h"

namespace repose {

/// Forces between groups and gears are not described to the judge; balance is then left to the
/// method's own word.
bool loads_are_described(const Problem& problem);

/// The problem at this state as the judge sees it: bodies, weights, pushes and springs as loads,
/// joints as what they can carry.
check::Input judge_input(const Problem& problem, const State& state);

}  // namespace repose
