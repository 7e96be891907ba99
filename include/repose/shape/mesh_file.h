#pragma once

#include <string>

#include "repose/base/result.h"
#include "repose/shape/shape.h"

namespace repose::shape {

/// Reads the triangles of an OBJ, STL or PLY (text or binary) or glTF file, by the ending of its
/// name; polygons are cut into triangles, points of identical coordinates become one, triangles
/// that thereby lose a corner are left out. Nothing is said yet about closedness (see make_mesh).
/// A file that lies about its size is refused before memory is taken for it.
Result<TriangleMesh> read_mesh_file(const std::string& path);

}  // namespace repose::shape
