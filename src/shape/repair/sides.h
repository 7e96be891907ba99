#pragma once

#include "shape/repair/change.h"

namespace repose::shape {

/// Edges of two triangles that use them the same way, and an example of each.
std::vector<Vec3> disagreeing_edges(const TriangleMesh& mesh);

/// Turns triangles, the fewer of each piece, so that the two of an edge agree; edges that are open
/// or crowded part pieces. `one_sided`: a piece cannot agree and stays as it is.
MeshChange make_sides_agree(TriangleMesh* mesh, bool* one_sided);

/// What the closed pieces enclose, one by one, whichever way they are turned; m^3.
double enclosed_volume(const TriangleMesh& mesh);

/// A place on each closed piece that has its matter on the wrong side: it is turned inward and lies
/// within no other, or within one that is so.
std::vector<Vec3> pieces_inside_out(const TriangleMesh& mesh);

/// Turns what pieces_inside_out names. Requires: closed, sides agree.
MeshChange turn_outward(TriangleMesh* mesh);

}  // namespace repose::shape
