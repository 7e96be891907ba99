#pragma once

#include <array>
#include <string>
#include <vector>

#include "repose/shape/shape.h"

namespace repose::shape {

/// Makes points of identical coordinates one (minus zero counts as zero), keeps the order of first
/// use, and drops triangles that thereby lose a corner and points no triangle uses.
TriangleMesh welded(const TriangleMesh& mesh);

struct MeshEdge {
  int a = 0, b = 0;                           // a < b
  std::array<int, 2> triangles{-1, -1};       // the first two that use it
  std::array<bool, 2> forward{false, false};  // they use it from a to b
  int count = 0;                              // of triangles that use it
};

/// Every edge once, sorted by (a, b).
std::vector<MeshEdge> mesh_edges(const TriangleMesh& mesh);

struct MeshFaults {
  std::vector<MeshEdge> first;  // a few faulty edges
  std::size_t open = 0;         // edges with one triangle
  std::size_t crowded = 0;      // edges with more than two
  bool one_sided = false;       // no orientation fits (a Moebius band)
};

/// Turns triangles so that neighbours agree and every piece has its material inside; a piece that
/// bounds a hollow (oriented inward, within the box of another) stays so. On faults the mesh is
/// left alone.
MeshFaults orient_closed(TriangleMesh* mesh);

}  // namespace repose::shape
