#pragma once

#include "repose/world/problem.h"
#include "repose/world/state.h"

namespace repose {

/// What an edit of a kind the run loop knows asks of the session.
struct EditEffect {
  bool known = true;             // false: the method's business
  bool problem_changed = false;  // the method must prepare again
  bool forces_changed = false;   // pulls that were there have another force; nothing else changed
  bool stop = false;
};

/// Carries out what changes the problem or the state, whatever the method, on copies of the
/// session's. Bodies that go take their contacts, forces and joints with them.
Result<EditEffect> carry_out(const Edit& edit, Problem& problem, State& state);

}  // namespace repose
