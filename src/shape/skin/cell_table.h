#pragma once

#include <array>
#include <vector>

namespace repose::shape {

/// How a surface cuts a cube whose corners are inside or outside (marching cubes, Lorensen and
/// Cline 1987). The table is computed, not copied: on every face of the cube inside corners are cut
/// off one by one, which depends on that face alone, so that neighbouring cubes always agree and no
/// crack opens.
///
/// Corner k stands at (k & 1, k >> 1 & 1, k >> 2 & 1). Edges are numbered 0 to 11: 4 axis + place,
/// the place counting the four edges along the axis by the corner's other two coordinates.
struct CellCase {
  /// Triangles as edges; kMiddle is the middle of the polygon `polygon`.
  std::vector<std::array<int, 3>> triangles;
  std::vector<std::vector<int>> polygons;  // edges around each polygon that needs a middle
};
/// A corner of a triangle of the case: an edge, or kMiddle + polygon.
inline constexpr int kMiddle = 12;

/// Of the 256 sets of inside corners, bit k for corner k.
const std::array<CellCase, 256>& cell_cases();

/// The corners that edge e joins, the lesser first.
std::array<int, 2> edge_corners(int edge);

}  // namespace repose::shape
