#pragma once

#include <span>

#include "trust.h"

namespace repose::pile {

/// Coulomb friction as a resistance within a step. A contact that pushes with y resists a slip s by
/// friction * y * s / s0 up to s0, where it is full. s0 follows the slip: a contact that friction
/// can hold slips less from step to step, by the share of its cone that is in use, and s0 with it;
/// one that slipped beyond s0 is given several times as much in the next step.
struct Drag {
  /// The two movers' variables (a's six, then b's) to the slip across the normal, mean radii.
  Eigen::Matrix<double, 12, 2> slip = Eigen::Matrix<double, 12, 2>::Zero();
  double full_at = 0.0;  // s0, mean radii
};

/// With what the movers slipped there in the last step as s0.
Drag drag_of(const Arena& arena, const Placement& at, std::span<const Trust> trust,
             const Separation& s);

/// s0 of the next step after a slip of that size.
double next_full_slip(double full_at, double slipped);

}  // namespace repose::pile
