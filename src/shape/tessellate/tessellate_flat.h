#pragma once

#include "repose/shape/tessellate.h"

namespace repose::shape {

/// The square of that half width in the plane z = 0, facing up.
Tessellation ground_plate(double half_width);
/// Smooth normals across edges that turn by less than a crease.
Tessellation shaded_mesh(const TriangleMesh& mesh);
Tessellation flat_faces(const ConvexPolyhedron& polyhedron);
/// The region's pieces one by one as prisms; round ones to the chord, m.
Tessellation slab(const PlaneRegion& region, double chord);
/// Each ball on its own.
Tessellation balls(const SphereSet& set, const TessellateSettings& settings);
/// A small hexagon for each surfel.
Tessellation surfel_plates(const PointSet& set);

}  // namespace repose::shape
