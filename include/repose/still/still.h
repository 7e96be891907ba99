#pragma once

#include "repose/world/method.h"

namespace repose::still {

struct StillSettings {
  /// Steps until the run is finished. [1, 1e9]
  int steps = 1;
  /// Simulated time of one step, s; [0, 1e6].
  double step_time = 0.0;
};
const SettingsTable<StillSettings>& settings_table();

/// The method in which nothing moves: the state of the scene, drawn, judged and recorded as it is.
MethodInfo method_info();

}  // namespace repose::still
