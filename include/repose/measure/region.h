#pragma once

#include "repose/measure/grains.h"

namespace repose::measure {

/// An upright box, or a cylinder that fits it, in the grains' frame.
struct Region {
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();  // m
  bool cylinder = false;

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

}  // namespace repose::measure
