#pragma once

#include "repose/world/problem.h"
#include "repose/world/state.h"

namespace repose::place {

/// The edits that this method knows beside those of the run loop: `attach` welds a body to another
/// where it stands, `stick` to everything it touches. A weld is taken back by removing the joint
/// "BODY-OTHER".
Result<Done> apply_edit(const Edit& edit, Problem& problem, const State& state);

}  // namespace repose::place
