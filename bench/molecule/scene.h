#pragma once

#include <string>
#include <vector>

#include "repose/run/session.h"
#include "repose/scene/scene.h"

namespace repose::bench_molecule {

/// One row of a table: what a program made of the performance scene.
struct Row {
  std::string program, setting;
  double cpu = 0.0;      // s, for the time simulated
  double overlap = 0.0;  // deepest over the run, of the sum of the radii; 0: none
  double kinetic = 0.0;  // J, at the end
  std::string note;
};

/// The gallery's scene, ready to step.
Result<World> open_world(const std::string& name);

/// The deepest overlap of unjoined molecules of a state, of the sum of their radii, by a sorted
/// sweep over all pairs; 0 if there is none.
double deepest_overlap(const Problem& problem, const State& state);

/// How Bullet's soft bodies are set.
struct BulletSetting {
  const char* name;
  double step;  // s
  int iterations;
  double stiffness, damping;
  double margin;  // of the radii
};
/// As its examples set it, for speed, and at its most accurate.
inline constexpr BulletSetting kBulletSettings[] = {
    {"default", 1.0 / 60.0, 1, 1.0, 0.0, 1.0},
    {"speed", 1.0 / 240.0, 2, 0.5, 0.02, 1.0},
    {"accuracy", 1e-3, 4, 0.5, 0.02, 1.0},
};

/// Bullet's soft bodies on the same nodes and links; absent where Bullet is not there.
Row run_bullet(const World& world, double duration, const BulletSetting& setting);

}  // namespace repose::bench_molecule
