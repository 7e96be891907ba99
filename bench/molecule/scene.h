#pragma once

#include <string>
#include <vector>

#include "repose/run/session.h"
#include "repose/scene/scene.h"

namespace repose::bench_molecule {

/// One row of a table: what a program made of the performance scene.
struct Row {
  std::string program;
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

/// Bullet's soft bodies on the same nodes and links; absent where Bullet is not there.
Row run_bullet(const World& world, double duration);

}  // namespace repose::bench_molecule
