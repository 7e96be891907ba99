#pragma once

#include "shape/repair/change.h"

namespace repose::shape {

/// Points on open edges become one with the first such point within `distance` (m); triangles that
/// thereby lose a corner go. Points within a closed surface stay, however near.
MeshChange weld_open_points(double distance, TriangleMesh* mesh);

/// Splits open edges at points of other open edges that lie within `distance` of them, so that a
/// long side meets the short ones along it.
MeshChange split_open_edges(double distance, TriangleMesh* mesh);

}  // namespace repose::shape
