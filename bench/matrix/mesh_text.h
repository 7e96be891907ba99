#pragma once

#include <array>
#include <string>
#include <vector>

#include "repose/math/vec.h"

namespace repose::matrix {

/// Triangles as a scene writes them.
struct MeshText {
  std::vector<Vec3> points;  // m
  std::vector<std::array<int, 3>> triangles;

  std::string shape() const;
};

/// An icosahedron whose triangles are cut in four `times` times, on an ellipsoid: convex.
MeshText ellipsoid_mesh(const Vec3& radii, int times);
/// A ring of `around` times `across` quadrilaterals with waves on it: concave.
MeshText wavy_ring_mesh(double ring_radius, double tube_radius, double waves, int around,
                        int across);
/// A block whose upper side is a basin with hills, `cells` squares a side; closed.
MeshText terrain_mesh(double scale, int cells);

}  // namespace repose::matrix
