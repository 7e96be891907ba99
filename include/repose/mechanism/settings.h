#pragma once

#include "repose/base/settings.h"
#include "repose/mechanism/impulses.h"

namespace repose::mechanism {

///   second  forces change velocities (Baraff 1995, eq. 2)
///   first   forces are velocities: v = F / m, w = torque / I, per second (eq. 3)
enum class Order { second, first };
/// How pairs of bodies that may meet are found; the answers are the same.
enum class BroadPhase { sweep, grid };

/// Lengths are fractions of the smaller body's size, so that a mechanism blown up 1000 times moves
/// the same.
struct MechanismSettings {
  Order order = Order::second;
  double step_time = 0.005;
  BlowLaw blows = BlowLaw::simultaneous;
  BroadPhase broad_phase = BroadPhase::grid;
  double touch_gap = 2.5e-7;
  double feedback = 0.005;
  double damping = 0.0;
  int max_events = 200;
  double rest_speed = 1e-6;
  double rest_time = 0.25;
  bool end_at_rest = true;
  bool friction = true;
  bool repair_start = false;
};
const SettingsTable<MechanismSettings>& settings_table();

}  // namespace repose::mechanism
