#pragma once

#include "arena.h"
#include "loads.h"

namespace repose::place {

/// Non-negative contact forces that come nearest to holding the bodies where they are.
struct Balance {
  std::vector<Vec3> forces;  // by row, on p, N
  double force = 0.0;        // worst unbalanced force over weight
  double torque = 0.0;       // worst unbalanced torque over weight times size
  int body = -1;             // the worst
  double worst() const { return std::max(force, torque); }
};

/// Rows with a larger gap than their touch (by pair) carry nothing. `friction`: forces may lean to
/// the sides within the cones of the bodies' friction.
Balance balance_of(const Arena& arena, const Problem& problem, const Places& places,
                   std::span<const Row> rows, const std::vector<bool>& touching,
                   const Potential& potential, bool friction);

/// How the energy bends along motions that keep the loaded contacts.
struct Stability {
  double lowest = 0.0;     // curvature, energy units per squared scaled freedom
  Eigen::VectorXd motion;  // scaled freedoms, unit length; along it
};
/// Touching contacts without force block motions that would close them.
Stability stability_of(const Arena& arena, const Problem& problem, const Places& places,
                       std::span<const Row> rows, const std::vector<bool>& touching,
                       const Balance& balance, const Potential& potential,
                       const ValleySettings& settings);

}  // namespace repose::place
