#pragma once

#include "memory.h"

namespace repose::mechanism {

/// The edits that only a mechanism knows: "drag" and "release" of a body, "join" of two.
Result<Done> carry_out_edit(const Edit& edit, Problem& problem, const State& state, Memory& memory);

/// Drags whose body is still there, with its index.
std::vector<Drag> present_drags(const Problem& problem, const std::vector<Drag>& drags);

}  // namespace repose::mechanism
