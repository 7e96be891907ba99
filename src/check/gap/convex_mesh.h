#pragma once

#include <optional>

#include "repose/shape/shape.h"

namespace repose::check {

/// The mesh as a convex polyhedron, triangles of one plane joined to faces, where it is one:
/// closed, in one piece, and no point before any triangle's plane, all without rounding. Nothing
/// for meshes of more than a few hundred triangles, which are judged sooner by their trees.
std::optional<shape::ConvexPolyhedron> convex_mesh(const shape::TriangleMesh& mesh);

}  // namespace repose::check
