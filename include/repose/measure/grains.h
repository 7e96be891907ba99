#pragma once

#include <vector>

#include "repose/record/recording.h"
#include "repose/world/state.h"

namespace repose::measure {

/// Bodies as grains, in a frame whose z axis points against gravity.
struct Grains {
  std::vector<Vec3> centers;      // m, of mass
  std::vector<double> radii;      // m; of a body that is no ball, of the ball of its volume
  std::vector<Contact> contacts;  // bodies are indices of grains; from grains.size() on, fixed ones
  bool weight = true;             // there is gravity
  bool on_plane = false;          // nothing but half-spaces is fixed

  std::size_t size() const { return centers.size(); }
  double mean_radius() const;
};

/// The movable bodies of a recorded frame.
Grains grains_of(const Recording& recording, const RecordedFrame& frame);

/// Points of the free surface: over each cell of a square lattice the highest point of a grain.
std::vector<Vec3> free_surface(const Grains& grains, double cell);

}  // namespace repose::measure
