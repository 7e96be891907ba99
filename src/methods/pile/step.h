#pragma once

#include <span>
#include <vector>

#include "program.h"

namespace repose::pile {

/// A bound on how far bodies go is widened by this much, so that rounding does not make it narrow.
inline constexpr double kMoreThanRounding = 1.0 + 1e-12;

/// What a step would do and how good it is.
struct Motion {
  std::vector<Vec3> displacement;  // m, by mover, of its centre
  std::vector<Vec3> turn;          // rad, rotation vector by mover
  double gain = 0.0;               // J the potential falls by; >= 0
  double farthest = 0.0;           // m
  double farthest_turn = 0.0;      // rad
  double share = 1.0;              // of the program's point that was taken
  bool kept = false;               // verified: every separation holds and energy does not grow
};

/// No point of the mover goes farther than this, m.
inline double farthest_way(const Arena& arena, const Motion& motion, int mover) {
  return motion.displacement[mover].norm() + motion.turn[mover].norm() * arena.movers[mover].radius;
}

/// The program's point as a motion, not verified.
Motion proposed_motion(const Arena& arena, const solve::LpSolution& solution);

/// The program's point as a motion of balls, verified against every separation in double precision.
/// Where rounding violates one, the motion is shortened; kept is false if nothing of it remains.
Motion verified_motion(const Arena& arena, std::span<const Separation> separations,
                       const Placement& from, const solve::LpSolution& solution);

/// Where the movers are after a share of the motion: centres on the straight way, turned by the
/// share of the angle.
Placement moved(const Arena& arena, const Placement& from, const Motion& motion, double share);

/// Where contacts are redundant (bodies that turn; rows of balls that fit their box exactly) no
/// program tells in doubles whether less than this is left to gain, mean weights times radii per
/// mover.
inline constexpr double kDoublesGain = 1e-8;

/// How well the multipliers balance every mover at the current place (x = 0).
struct Balance {
  /// Largest unbalanced force over that mover's load, or torque over load times radius.
  double worst = 0.0;
  int worst_mover = -1;
  int touching = 0;  // separations that touch
  /// What a step could still gain beside the unbalanced force, at most: sum of multiplier times
  /// gap, per mover, in mean weights times radii.
  double gain_left = 0.0;
};
/// Only separations with a gap of at most `touch_gap` (m) carry force; `keep` (m, by separation) is
/// kept free on purpose.
Balance balance_of(const Arena& arena, std::span<const Separation> separations, const Placement& at,
                   std::span<const double> multipliers, double touch_gap,
                   std::span<const double> keep);

/// A force and torque left on a mover over its load (torque also over its radius); held variables
/// do not count.
double unbalanced(const Arena& arena, std::size_t mover, Vec3 force, Vec3 torque);

/// Touching separations as contacts with their forces.
std::vector<Contact> contacts_of(const Arena& arena, std::span<const Separation> separations,
                                 std::span<const double> multipliers, double touch_gap);

}  // namespace repose::pile
