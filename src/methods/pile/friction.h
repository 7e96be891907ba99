#pragma once

#include "step.h"

namespace repose::pile {

/// The Coulomb coefficient of a contact: the smaller of its two materials', `most` at most.
double friction_at(const Arena& arena, const Separation& s, double most);

/// Whether Coulomb friction at the contacts that touch can hold bodies where they are.
struct FrictionHold {
  bool holds = false;
  /// Largest unbalanced force over that mover's load, or torque over load times radius.
  double worst = 0.0;
  int worst_mover = 0;
  std::vector<Contact> contacts;  // with their forces, tangential parts included
};

/// Every touching contact may carry any force within a pyramid of eight edges inscribed in its
/// Coulomb cone. The edges are rows of a program whose multipliers are the forces: no motion within
/// all of them gains energy exactly when such forces balance every mover, torques included. A step
/// does not turn balls; here they turn as all others.
FrictionHold friction_hold(const Arena& arena, const Placement& at,
                           std::span<const Separation> separations, double touch_gap,
                           const PileSettings& settings, solve::LpSolver& solver);

}  // namespace repose::pile
