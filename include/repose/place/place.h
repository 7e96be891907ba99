#pragma once

#include "repose/base/settings.h"
#include "repose/world/method.h"

namespace repose::place {

/// Lengths are fractions: of the moving body's reach from its centre of mass (steps, search), or of
/// the smaller body's size (gaps).
struct PlaceSettings {
  double epsilon_start = 0.25;  // first step
  double epsilon_max = 0.5;     // longest step
  double epsilon_min = 1e-9;    // shorter steps: stuck
  double lambda = 2.0;          // growth of the step after a full one
  double search_chord = 0.06;   // bulge of the cells that contacts are sought from
  double search_longest = 0.5;  // their length
  double settle_gap = 3e-7;     // kept between bodies until they are balanced
  double rest_gap = 1e-10;      // kept between bodies at rest
  double rest_force = 1e-6;     // unbalanced force over weight, torque over weight times size
  double proof_gap = 1e-6;      // where a motion is too short to be worth a proof
  int proof_budget = 60'000;    // pair tests for one pair of bodies and one step
  double neutral = 1e-5;        // curvature of the energy that counts as none
  double nudge = 0.0;           // off a metastable rest
  bool friction = false;        // rest as soon as friction can hold the bodies
  bool extricate = false;       // move bodies that overlap at the start apart
  int max_steps = 1000;
};
const SettingsTable<PlaceSettings>& settings_table();

MethodInfo method_info();

}  // namespace repose::place
