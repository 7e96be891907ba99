#pragma once

#include <array>
#include <limits>
#include <vector>

#include "repose/world/state.h"

#include "step.h"

namespace repose::place {

/// What is not yet known.
inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// How balanced bodies close their gaps: first without travelling, then with it, and not at all
/// where either way lost the balance.
enum class Closing { standing, travelling, never };

/// Steps cut short before wider gaps are kept.
inline constexpr int kCruiseAfter = 2;

/// What the next step must know of the last ones.
struct Memory : MethodMemory {
  double epsilon = 0.0;
  double gap = 0.0;      // kept by the next step, over the pair's size
  bool settled = false;  // balanced at the settling gap: goes on with the gap of rest
  int polished = 0;      // steps since then
  bool firm = false;     // only contacts at the gap of rest bear: wider ones bore what they cannot
  bool failed = false;   // the last step was not taken
  int cut = 0;           // steps in a row that were cut short
  Places open;           // before the last step that closed gaps; empty: it closed none
  Closing closing = Closing::standing;
  std::vector<Seed> extra;  // where the last proof failed
  std::vector<Seed> warm;   // isolated contacts of the last place: none is lost between steps
  std::array<int, kFailures> failures{};
  double worst_gap = kUnknown, worst_relative = kUnknown;
  double force = kUnknown, torque = kUnknown;
  long tests = 0;
  int rows = 0;

  /// Steps are cut short again and again: they keep wider gaps, at which longer ones are free.
  bool cruising() const { return cut >= kCruiseAfter; }
};

}  // namespace repose::place
