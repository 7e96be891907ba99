#pragma once

#include "repose/world/problem.h"
#include "repose/world/state.h"

namespace repose {

/// What the laws of motion keep, summed over all bodies that move: soft ones point by point, rigid
/// ones by mass and inertia. Points that are fixed and bodies that are held do not count.
struct MotionSums {
  double mass = 0.0;                     // kg
  Vec3 momentum = Vec3::Zero();          // kg m/s
  Vec3 angular_momentum = Vec3::Zero();  // kg m^2/s, about the world's origin
  double kinetic_energy = 0.0;           // J
  double gravity_energy = 0.0;           // J; 0 at the world's origin
};
MotionSums motion_sums(const Problem& problem, const State& state);

}  // namespace repose
