#pragma once

#include "edit.h"

namespace repose {

/// "add" of a force: a push, a connection or a spring, with the edit's target as its name.
Result<EditEffect> add_force(const Edit& edit, Problem& problem);

}  // namespace repose
