#pragma once

#include "repose/world/body.h"

namespace repose {

/// The spring by which a hand drags a body, unless an edit says otherwise.
struct HandSpring {
  double stiffness = 0.0;  // N/m: the body would swing on it twice in a second
  double damping = 0.0;    // N s/m: critical
  double max_force =
      0.0;  // N: so many weights, or what swings the body by its size if that is more
};
/// `stiffness`: 0 for its own.
HandSpring hand_spring(const Body& body, const Vec3& gravity, double stiffness = 0.0);

/// What it pulls with, N: towards `to` from `at`, a point that moves with `velocity`.
Vec3 pull_of(const HandSpring& spring, const Vec3& at, const Vec3& velocity, const Vec3& to);

}  // namespace repose
