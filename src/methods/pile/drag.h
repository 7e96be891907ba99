#pragma once

#include <span>

#include "trust.h"

namespace repose::pile {

/// Coulomb friction as a resistance within a step. A contact that pushes with y resists a slip s by
/// friction * y * s / s0 up to s0, where it is full. s0 follows the slip: a contact that friction
/// can hold slips less from step to step, by the share of its cone that is in use, and s0 with it;
/// one that slips beyond s0 is given twice as much and the step is found anew.
struct Drag {
  /// The two movers' variables (a's six, then b's) to the slip across the normal, mean radii.
  Eigen::Matrix<double, 12, 2> slip = Eigen::Matrix<double, 12, 2>::Zero();
  double friction = 0.0;  // of a contact that slides
  double full_at = 0.0;   // s0, mean radii
  bool slides = false;    // beyond s0
};

/// With what the movers slipped there in the last step as s0; `most` bounds the friction.
Drag drag_of(const Arena& arena, const Placement& at, std::span<const Trust> trust,
             const Separation& s, double most);

}  // namespace repose::pile
