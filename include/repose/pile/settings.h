#pragma once

#include "repose/base/settings.h"

namespace repose::pile {

enum class Solver { interior_point, simplex, paper };
enum class StepBox { rotated, upright };

/// Lengths are in radii of the mean body, forces in mean weights: a pile blown up 1000 times comes
/// out the same.
struct PileSettings {
  Solver solver = Solver::interior_point;
  StepBox box = StepBox::rotated;
  double box_half_width = 1.0;
  double box_growth = 0.0;
  double flight_growth = 0.0;
  double most_turn = 0.2;
  double conserve = 1e-5;
  double carry = 0.7;
  bool friction = false;
  double most_friction = 10.0;
  double gap_moving = 0.3;
  int max_pivots = 0;
  double near_gap = 0.3;
  double margin = 1e-9;
  double rest_force = 1e-6;
  double rest_gain = 1e-10;
  int presettle = 400;
  int zone = 12000;
  bool repair_start = false;
  int max_steps = 100000;
};
const SettingsTable<PileSettings>& settings_table();
/// What the settings stand for: without friction `most_friction` is 0; `paper` becomes the simplex
/// method with the original's pivots per step and without what the original has not.
PileSettings as_meant(PileSettings settings);

}  // namespace repose::pile
