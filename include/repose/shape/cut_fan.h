#pragma once

#include <cstddef>

#include "repose/shape/shape.h"

namespace repose::shape {

/// The triangles from `first` on are a fan that stands for one polygon. Where the polygon has
/// inward corners they are cut anew, so that none reaches outside; a convex one stays as it is.
/// Polygons of many corners (kMostFanCorners) stay too. Requires: indices in range.
void cut_fan(std::size_t first, TriangleMesh* mesh);
inline constexpr std::size_t kMostFanCorners = 256;

}  // namespace repose::shape
