#pragma once

#include <span>
#include <vector>

#include "program.h"

namespace repose::pile {

/// What a step would do and how good it is.
struct Motion {
  std::vector<Vec3> displacement;  // m, by mover
  double gain = 0.0;               // J the potential falls by; >= 0
  double farthest = 0.0;           // m
  bool kept = false;               // verified: every separation holds and energy does not grow
};

/// The program's point as a motion, verified against every separation in double precision. Where
/// rounding violates one, the motion is shortened; kept is false if nothing of it remains.
Motion verified_motion(const Arena& arena, std::span<const Separation> separations,
                       std::span<const Vec3> centers, const LpSolution& solution);

/// How well the multipliers balance every mover at the current place (x = 0).
struct Balance {
  double worst = 0.0;  // largest unbalanced force over that mover's weight
  int worst_mover = -1;
  int touching = 0;  // separations that touch
  /// What a step could still gain beside the unbalanced force, at most: sum of multiplier times
  /// gap, per mover, in mean weights times radii.
  double gain_left = 0.0;
};
/// Only separations with a gap of at most `touch_gap` (m) carry force; `margin` (radii) is kept
/// free on purpose.
Balance balance_of(const Arena& arena, std::span<const Separation> separations,
                   std::span<const Vec3> centers, std::span<const double> multipliers,
                   double touch_gap, double margin);

/// Touching separations as contacts with their forces.
std::vector<Contact> contacts_of(const Arena& arena, std::span<const Separation> separations,
                                 std::span<const Vec3> centers, std::span<const double> multipliers,
                                 double touch_gap);

}  // namespace repose::pile
