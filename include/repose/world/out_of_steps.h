#pragma once

#include <string>

#include "repose/world/method.h"

namespace repose {

/// Ends a run that looks for rest at its method's own limit of steps: `report` says which body is
/// farthest from rest, where the method knows it, and what to try. `friction`: whether contacts
/// have any.
void stop_out_of_steps(const std::string& method, const Problem& problem, const State& state,
                       bool friction, StepReport& report);

}  // namespace repose
