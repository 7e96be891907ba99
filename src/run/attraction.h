#pragma once

#include "repose/check/input.h"
#include "repose/world/problem.h"
#include "repose/world/state.h"

namespace repose {

/// Adds what an `attract` force draws every body with, at its centre of mass. The laws are those of
/// docs/scene-format.md, written down once more: a method that has them wrong is found out.
void add_attraction(const Problem& problem, const State& state, const Force& force,
                    check::Input& out);

}  // namespace repose
