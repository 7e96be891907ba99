#pragma once

#include <span>
#include <vector>

#include "arena.h"

namespace repose::pile {

/// A half-space that keeps two bodies apart: normal . (x_b - x_a) >= -gap for the displacements of
/// a step at `point` (equation 1; equation 2 where a is a wall, x_a = 0). Exact for bodies that do
/// not turn, of first order for those that do.
struct Separation {
  int a = -1;                      // mover, or -1 for a wall
  int b = -1;                      // mover
  Vec3 normal = Vec3::UnitZ();     // unit, from a to b
  double gap = 0.0;                // m, along the normal
  Vec3 point = Vec3::Zero();       // world; between the two surfaces
  int wall_body = -1;              // where a is a wall
  int piece_a = -1, piece_b = -1;  // of the movers; a wall's part; -1 between balls
  bool flat = false;               // a ball on a plane
  bool passes = false;  // at a cell's side beyond which the surface goes on: it carries nothing,
                        // and the row of the neighbour says where the surface is
};

/// True if both are rows of the same two pieces.
inline bool same_pieces(const Separation& s, const Separation& t) {
  return s.a == t.a && s.b == t.b && s.piece_a == t.piece_a && s.piece_b == t.piece_b &&
         s.piece_b >= 0;
}

/// Every pair of movers and every wall that could meet when mover i goes at most travel[i] (m): all
/// other pairs are free of each other whatever the step does. `tilt` (rad, by mover; empty: none)
/// is how far each may turn. Ordered by (a, b), walls last.
std::vector<Separation> find_separations(const Arena& arena, const Placement& at,
                                         std::span<const double> travel,
                                         std::span<const double> tilt = {});

/// The same for a placement that is known to be free of overlap: pieces that the search could not
/// tell apart (a gap of minus infinity) touch there, and their gap is zero.
std::vector<Separation> find_separations_of_free(const Arena& arena, const Placement& at,
                                                 std::span<const double> travel,
                                                 std::span<const double> tilt = {});

}  // namespace repose::pile
