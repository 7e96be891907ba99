#pragma once

#include "graph.h"
#include "usda_stage.h"

namespace repose::handover {

/// Mesh, Cube, Sphere, Cylinder, Capsule, Cone or Plane.
bool is_usd_shape(const std::string& type);
/// All but Mesh, into `out`.
void usd_shape(const UsdPrim& prim, const std::string& type, GraphShape& out);
/// Faces cut into triangles, counter-clockwise seen from outside.
shape::TriangleMesh usd_mesh(const UsdPrim& prim, Notes& notes);

}  // namespace repose::handover
