#pragma once

#include "shape/sew/side_curve.h"

namespace repose::shape {

/// A stretch of a side, run from `from` to `to`.
struct Run {
  const SideCurve& curve;
  double from, to;
};

/// A proven bound of the distance between two curves that run along each other, place by place (m):
/// nowhere do they part by more. Halved where it is too large, until it is `enough`; more than that
/// where `budget` halvings do not show it, infinite where a place was seen to be farther off.
double seam_gap(const Run& a, const Run& b, double enough, int budget);

/// A proven bound of how far apart two points of a curve may be (m), no finer than it takes to stay
/// below `enough`; infinite where that was not shown.
double curve_extent(const SideCurve& curve, double enough, int budget);

}  // namespace repose::shape
