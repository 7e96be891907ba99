#pragma once

#include <optional>

#include "repose/math/interval.h"
#include "repose/shape/solid.h"

namespace repose::shape {

/// What is known of a volume (m^3) from enclosures of its patches. A quadrature looks at its nodes
/// and may be fooled by what lies between them; enclosures cannot.
struct VolumeBounds {
  Interval volume;        // proven
  double turnover = 0.0;  // what the cells add and take away, all counted as positive, at most
  /// By a rule on the very cells, where the bounds are farther apart than asked for: the cells are
  /// small wherever the surface varies finely.
  std::optional<double> by_cells;
};

/// Of a closed part. Refines where it is least sure, until the bounds are at most `enough` apart,
/// or up to `max_cells`.
VolumeBounds volume_bounds(const Part& part, const Vec3& reference, double enough, int max_cells);

}  // namespace repose::shape
