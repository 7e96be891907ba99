#pragma once

#include <vector>

#include "repose/shape/shape.h"

namespace repose::mechanism {

/// A convex polygon, counter-clockwise. `inner[k]`: the side from point k to the next lies inside
/// the polygon it was cut from.
struct ConvexPiece {
  std::vector<Vec2> points;
  std::vector<char> inner;
};

/// Cuts a simple polygon with holes into convex pieces that cover it: ears first, then needless
/// cuts are taken back (Hertel and Mehlhorn 1983: at most four times the least number).
std::vector<ConvexPiece> convex_pieces(const shape::Polygon& polygon);

}  // namespace repose::mechanism
