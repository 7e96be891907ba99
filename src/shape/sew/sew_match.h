#pragma once

#include <array>
#include <optional>
#include <vector>

#include "shape/enclose/box_tree.h"
#include "shape/sew/side_curve.h"

namespace repose::shape {

/// One side of one patch while sewing.
struct SewSide {
  int face = 0;
  Side side = Side::u_low;
  SideCurve curve;
  bool shrunk = false;         // to a point
  double hole = 0.0;           // m, shrunk: no two points of it are farther apart; proven if asked
  Box3 box;                    // about it
  std::vector<double> splits;  // parameters of junctions on it, ends included, growing
};

/// A stretch of a side between two neighbouring junctions.
struct Stretch {
  int side = 0;  // index into the sides
  double t0 = 0.0, t1 = 0.0;
  int mate = -1;       // the stretch sewn to this one
  bool along = false;  // the mate's parameter grows in the same direction
  double gap = 0.0;    // m: nowhere along it is the mate farther; proven where that was asked for
};

/// The four sides of every patch, split wherever a corner of any patch touches them. `size` is that
/// of all patches together, m. `prove`: sides that count as points are so all along by interval
/// bounds; else even samples tell.
std::vector<SewSide> split_sides(const std::vector<PatchPtr>& patches, double size,
                                 double tolerance, bool prove);

/// All stretches, mated where two (and only two) coincide within the tolerance. `crowded` gets
/// those that found more than one mate. `prove`: all along by interval bounds; else three places
/// and the ends tell. `doubtful` gets those of which the bounds show neither.
std::vector<Stretch> mate_stretches(const std::vector<SewSide>& sides, double tolerance, bool prove,
                                    std::vector<int>* crowded, std::vector<int>* doubtful);

}  // namespace repose::shape
