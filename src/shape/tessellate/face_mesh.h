#pragma once

#include <vector>

#include "repose/shape/tessellate.h"

namespace repose::shape {

/// How finely one face is cut.
struct FaceCells {
  int nu = 1, nv = 1;
};

/// A point on a face's side: its parameter there, its place, and the number it shares with the
/// neighbouring face's.
struct SidePoint {
  double t = 0.0;
  Vec3 point = Vec3::Zero();
  int welded = 0;
};

/// The sides of one face, each with growing t, ends (corners) included; indexed by Side.
using FaceSides = std::array<std::vector<SidePoint>, 4>;

/// Cuts all seams of a part so that both faces take the same points. welded numbers start at
/// *welded_count and raise it.
std::vector<FaceSides> cut_sides(const Part& part, const std::vector<FaceCells>& cells,
                                 const std::vector<double>& chord_by_face, int* welded_count);

/// Cells that keep the chord error of each face near its target, as far as samples tell.
FaceCells choose_cells(const Face& face, double chord);

/// Meshes one face between its given sides and appends it. Returns a proven bound on the distance
/// between patch and mesh, m.
double append_face(const Face& face, int part, int face_number, const FaceCells& cells,
                   const FaceSides& sides, Tessellation* out);

}  // namespace repose::shape
