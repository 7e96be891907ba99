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

/// How Bullet is set; lengths are of the moving body's size.
struct BulletSetting {
  const char* name;
  double step;  // s
  int iterations;
  double margin;   // by which surfaces are thickened; negative: Bullet's own
  double damping;  // of speeds, share a second
  bool sleeps;
};
/// As it comes, as its users set it for speed, and at its most accurate.
inline constexpr BulletSetting kBulletSettings[] = {
    {"default", 1.0 / 60.0, 10, -1.0, 0.0, true},
    {"speed", 1.0 / 60.0, 20, 1e-2, 0.3, true},
    {"accuracy", 1.0 / 240.0, 50, 1e-3, 0.3, false},
};

/// Bullet with the bodies as triangle meshes until the free body's points move by less than 1e-3 of
/// its size a second, or for 10 s of its time.
OtherEngine settle_with_bullet(const Problem& problem, const State& start, int body,
                               const BulletSetting& setting);

}  // namespace repose
