#pragma once

#include <string>

#include "repose/check/input.h"
#include "repose/world/problem.h"
#include "repose/world/state.h"

namespace repose {

/// Gears, stops of angle, motors without limit and what holds soft points together are not
/// described to the judge; balance is then left to the method's own word. What it is, or nothing.
std::string hidden_loads(const Problem& problem);
inline bool loads_are_described(const Problem& problem) {
  return hidden_loads(problem).empty();
}

/// An attraction changes as its bodies move; the judge, who knows loads of one state, can then say
/// whether bodies balance, not whether they would come back.
bool loads_stay(const Problem& problem);

/// The problem at this state as the judge sees it: bodies, weights, pushes, springs and attractions
/// as loads, joints as what they can carry.
check::Input judge_input(const Problem& problem, const State& state);

}  // namespace repose
