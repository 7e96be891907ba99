#pragma once

#include <string>

#include "repose/world/problem.h"
#include "repose/world/state.h"

namespace repose {

/// What another engine made of a problem with one free body.
struct OtherEngine {
  bool built = false;  // false: the engine is not on this machine
  std::string end;     // "rest" or "moving"
  double seconds = 0.0;
  State state;
};

/// Bullet with the bodies as triangle meshes, sleeping off, damped, until the free body's points
/// move by less than 1e-3 of its size a second, or for 10 s of its time or of CPU.
OtherEngine settle_with_bullet(const Problem& problem, const State& start, int body);

}  // namespace repose
