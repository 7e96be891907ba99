#pragma once

#include <memory>

#include "repose/world/method.h"

#include "edit.h"

namespace repose {

// A hand that holds a body by a spring, for methods that take pulls and have no drag of their own.
// The drag is a pull of the problem; its force is set anew before every step, and the method keeps
// bodies apart as under any other force.

/// The method has no "drag" of its own, but can be pulled.
bool drags_by_pull(const MethodInfo& method);

/// "drag" and "release", as the scene format lists their values.
Result<EditEffect> carry_out_drag(const Edit& edit, Problem& problem, const State& state);

/// The problem with the drags' forces as they are at this state; the same one where there are none.
std::shared_ptr<const Problem> with_drags(std::shared_ptr<const Problem> problem,
                                          const State& state);

}  // namespace repose
