#pragma once

#include "shape/repair/change.h"

namespace repose::shape {

/// Closes every loop of open edges by triangles of least area over its corners (Barequet and Sharir
/// 1995); an edge that is there already is not used again. Requires: points of equal coordinates
/// are one, sides agree. `refused` tells of loops that stay open.
MeshChange fill_holes(TriangleMesh* mesh, std::vector<std::string>* refused);

}  // namespace repose::shape
