#pragma once

#include <array>
#include <vector>

#include "repose/shape/shape.h"

namespace repose::shape {

/// Cuts a simple polygon with holes into triangles by bridging the holes and clipping ears. Corner
/// numbers count through the outer loop, then the holes in order. Counter-clockwise.
std::vector<std::array<int, 3>> triangulate(const Polygon& polygon);

/// Twice the signed area; positive for a counter-clockwise loop.
double twice_area(const std::vector<Vec2>& loop);

}  // namespace repose::shape
