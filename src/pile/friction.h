#pragma once

#include "program.h"

namespace repose::pile {

/// Whether Coulomb friction at the contacts that touch can hold balls where they are.
struct FrictionHold {
  bool holds = false;
  double worst = 0.0;             // largest unbalanced force over that mover's load
  std::vector<Contact> contacts;  // with their forces, tangential parts included
};

/// Every touching contact may carry any force within a pyramid of eight edges inscribed in its
/// Coulomb cone. The edges are rows of a program whose multipliers are the forces: no motion within
/// all of them gains energy exactly when such forces balance every mover. Friction bounds the force
/// on the centre of a ball; that it turns the ball is left out, as in the whole method.
/// Requires: nothing but balls moves.
FrictionHold friction_hold(const Arena& arena, const Placement& at,
                           std::span<const Separation> separations, double touch_gap,
                           const PileSettings& settings, LpSolver& solver);

}  // namespace repose::pile
