#pragma once

#include <array>
#include <optional>
#include <vector>

#include "repose/shape/shape.h"

namespace repose::shape {

/// Faces whose corners lie this near a common plane are one. Fraction of the hull's size.
inline constexpr double kFlatFraction = 1e-10;

/// The convex hull with merged plane faces; nothing if the points lie in one plane (exactly, or
/// within kFlatFraction of their extent). Quickhull with exact orientation tests (Barber 1996):
/// the topology is that of the exact hull of the given doubles.
std::optional<ConvexPolyhedron> convex_hull(const std::vector<Vec3>& points);

/// Merges neighbouring triangles of a convex mesh that lie in one plane.
ConvexPolyhedron merge_flat(const TriangleMesh& hull);

}  // namespace repose::shape
