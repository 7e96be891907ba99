#pragma once

#include <set>
#include <string>

#include "repose/world/problem.h"
#include "repose/world/state.h"

namespace repose {

/// What edits have made of a problem's joints, forces and held freedoms, without the method that
/// ran: for who looks at a recording.
struct EditedLoads {
  std::set<std::string> dragged;  // bodies that a hand holds: its force is not recorded
  bool known = true;              // false: some edit's joints are not known
};

/// Carries out an edit as far as it changes what acts on bodies; others change nothing. `stood` and
/// `state` tell where the bodies were at the time.
void take_load(const Edit& edit, const Problem& stood, const State& state, Problem& problem,
               EditedLoads& loads);

}  // namespace repose
