#pragma once

#include "shape/repair/change.h"

namespace repose::shape {

// Requires of all: points of equal coordinates are one.

/// Faces of the same three corners: all but one go, and all of them where they are a wall between
/// two parts that have each given one.
MeshChange drop_repeated_faces(TriangleMesh* mesh);
std::size_t count_repeated_faces(const TriangleMesh& mesh, std::vector<Vec3>* places);

/// Faces whose corners lie in a line, by exact signs.
bool has_area(const TriangleMesh& mesh, const std::array<int, 3>& corners);
MeshChange drop_faces_without_area(TriangleMesh* mesh);

/// Sheets that hang on crowded edges with all of their border: those that part one hollow into two
/// go, the outer ones stay.
MeshChange drop_inner_walls(TriangleMesh* mesh);

/// Pieces with open edges that lie flat, where others do not: they bound nothing.
MeshChange drop_stray_sheets(TriangleMesh* mesh);

}  // namespace repose::shape
