#pragma once

#include <array>
#include <vector>

#include "repose/shape/shape.h"

namespace repose::shape {

struct TessellateSettings {
  /// Largest distance between mesh and surface. Fraction of the bounding radius; (0, 1].
  /// Smaller: more triangles, about in inverse proportion.
  double chord_fraction = 2e-3;
  /// Stops refining beyond about this many triangles; the bound reported then exceeds the one
  /// asked for. [12, 10 000 000].
  int max_triangles = 200000;
  /// Where positive, every patch gets this many cells along u and v, whatever the chord error.
  int cells_per_side = 0;
  /// Half width at which endless ground is drawn, m; (0, 1e9].
  double ground_half_width = 50.0;
};

/// A surface as triangles for drawing, bounding volumes and coarse search. Vertices are split where
/// a normal or a (u,v) must be; `welded` names the same place by the same number, and by these the
/// mesh of each closed part is watertight.
struct Tessellation {
  std::vector<Vec3> points;   // body frame, m
  std::vector<Vec3> normals;  // unit, outward
  std::vector<Vec2> uv;       // patch parameters; zero where there is no patch
  std::vector<int> part;      // index into Solid::parts, else 0
  std::vector<int> face;      // index into Part::faces (of a ConvexPolyhedron: its faces); -1: none
  std::vector<int> welded;    // equal for vertices at the same place of the same part
  int welded_count = 0;       // welded lies in [0, welded_count)
  std::vector<std::array<int, 3>> triangles;  // counter-clockwise seen from outside
  /// Proven: no point of the surface is farther than this from the mesh, nor the other way (m).
  /// 0 for shapes made of triangles and plane polygons.
  double chord_error = 0.0;
};

/// All parts of a union are meshed whole; pieces inside another part are not cut away.
Tessellation tessellate(const Shape& shape, const TessellateSettings& settings = {});

}  // namespace repose::shape
