#pragma once

#include "repose/world/problem.h"
#include "repose/world/state.h"

namespace repose {

/// What an edit of a kind the run loop knows asks of the session.
struct EditEffect {
  bool known = true;             // false: the method's business
  bool problem_changed = false;  // the method must prepare again
  bool stop = false;
};

/// Carries out "pose", "add", "remove", "fix", "free", "material" and "stop" on copies of the
/// session's problem and state. Bodies that go take their contacts, forces and joints with them.
Result<EditEffect> carry_out(const Edit& edit, Problem& problem, State& state);

}  // namespace repose
