#pragma once

#include <string>

#include "repose/base/result.h"
#include "repose/shape/shape.h"

namespace repose::shape {

/// Reads an OBJ, STL or PLY (text or binary), glTF or COLLADA file, by the ending of its
/// name; polygons are cut into triangles, points of identical coordinates become one, triangles
/// that thereby lose a corner are left out. Nothing is said yet about closedness (see make_mesh).
/// A file that lies about its size is refused before memory is taken for it.
Result<TriangleMesh> read_mesh_file(const std::string& path);

/// The same before anything becomes one or is left out: as the file has it (of an STL file, whose
/// triangles share nothing, points of identical coordinates are one all the same).
Result<TriangleMesh> read_mesh_as_written(const std::string& path);

/// Points of identical coordinates made one, triangles that thereby lose a corner left out.
TriangleMesh weld(const TriangleMesh& mesh);

}  // namespace repose::shape
