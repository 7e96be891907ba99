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

/// An upright box, or a cylinder that fits it, in the grains' frame.
struct Region {
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();  // m
  bool round = false;

  static Region everywhere();
  bool empty() const { return !(low.array() < high.array()).all(); }
  double volume() const;
  bool holds(const Vec3& point) const;
  /// What the region and itself moved by u have in common, m^3.
  double common_with_moved(const Vec3& u) const;
  /// Without a layer of this thickness on all sides, m.
  Region without_layer(double layer) const;
};

/// The smaller of the box and the cylinder that hold all grains sideways, from the lowest point of
/// a grain up to the mean height of the free surface.
Region region_of(const Grains& grains);

/// The part of a ball that lies in the region, m^3, to about 1e-5 of the ball.
double volume_within(const Region& region, const Vec3& center, double radius);
/// Volume of the grains in the region over that of the region. Grains that the border cuts count as
/// balls of their volume.
double packing_fraction(const Grains& grains, const Region& region);

/// Points of the free surface: over each cell of a square lattice the highest point of a grain.
std::vector<Vec3> free_surface(const Grains& grains, double cell);

}  // namespace repose::measure
