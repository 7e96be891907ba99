#pragma once

#include <string>
#include <vector>

#include "repose/world/state.h"

#include "contacts.h"
#include "dynamics.h"

namespace repose::mechanism {

/// A contact that takes part in a jam.
struct JamContact {
  int body_a = -1, body_b = -1;
  Vec2 point = Vec2::Zero();
  Vec2 force_on_b = Vec2::Zero();  // N
};

/// What the next step must know of the last ones beyond poses and velocities.
struct Memory : MethodMemory {
  std::vector<std::pair<std::string, double>> turns;  // by body name, not wrapped, rad
  Contacts contacts;
  std::vector<JointStart> starts;
  std::vector<Drag> drags;
  double still_for = 0.0;       // s
  Dynamics::Drift worst_drift;  // over the run
  SolveTally solves;            // over the run
  double step_residual = 0.0;   // the worst of the last step
  std::vector<JamContact> jam;  // of the last step
  int events = 0, blows = 0;    // of the last step
};

}  // namespace repose::mechanism
