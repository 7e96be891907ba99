#pragma once

#include "repose/world/problem.h"

namespace repose {

/// What every method may take for granted: a body that moves has a mass, every force and joint
/// names bodies that are there, no joint holds a body to itself. The error's pointer names the
/// part, "/joints/2".
Result<Done> check_problem(const Problem& problem);

}  // namespace repose
