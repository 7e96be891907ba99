#pragma once

#include <array>
#include <functional>
#include <vector>

#include "shape/mass/moments.h"

namespace repose::shape {

inline constexpr double kMomentTolerance = 1e-13;

struct QuadratureSettings {
  /// Stops when the estimated error of volume and moments falls below this. Relative; (0, 1).
  double tolerance = kMomentTolerance;
  /// Gives up refining beyond this many cells, and says so in VolumeProperties::error.
  int max_cells = 2000;
};

/// Volume, centre and inertia of one closed part by the divergence theorem: Gauss quadrature over
/// its patches, refined where coarse and fine answers differ most.
VolumeProperties part_properties(const Part& part, const Vec3& reference, double size,
                                 const QuadratureSettings& settings = {});

/// Contribution of one surface element: x (x . n dA) integrates to moments of the enclosed solid.
inline Moments surface_element(const Vec3& x, const Vec3& normal_area) {
  const double flux = x.dot(normal_area);
  Moments m;
  m.area = normal_area.norm();
  m.volume = flux / 3.0;
  m.first = flux / 4.0 * x;
  m.second = flux / 5.0 * x * x.transpose();
  return m;
}

inline Moments scaled(const Moments& m, double factor) {
  return {factor * m.area, factor * m.volume, factor * m.first, factor * m.second};
}

/// Largest difference of volume and moments, each relative to its power of `size`.
double moment_distance(const Moments& a, const Moments& b, double size);

/// A cell's two halves, across the parameter along which halving changes its integrals more.
struct HalvedMoments {
  std::array<UvBox, 2> boxes;
  std::array<Moments, 2> halves;
  Moments both;
  double error = 0.0;  // what the halves together differ from the whole by, as moment_distance
};
HalvedMoments halved(const UvBox& box, const Moments& whole, double size,
                     const std::function<Moments(const UvBox&)>& integral);

}  // namespace repose::shape
