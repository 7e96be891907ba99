#pragma once

#include "repose/shape/patch.h"

#include "shape/trim/flat_curve.h"

namespace repose::shape {

/// A four-sided region of (u, v), counter-clockwise: low and high run along s at t = 0 and 1, left
/// and right along t at s = 0 and 1. Inside, the Coons mixture of the four: (u, v)(s, t) = ruled
/// between low and high, plus ruled between left and right, less the bilinear one of the corners.
struct FlatCell {
  FlatCurve low, right, high, left;

  /// One of its sides is a spline of several pieces.
  bool pieced() const;
  /// Interval bounds show that d(u, v)/d(s, t) is above 0 all over the cell, so that it does not
  /// fold. `budget` is the most boxes looked at.
  bool regular(int budget) const;
};

/// (u, v) and its derivatives along s and t.
template <class T>
struct FlatMap {
  std::array<T, 2> f, s, t, ss, st, tt;
};
FlatMap<double> map_of(const FlatCell& cell, double s, double t);
FlatMap<Interval> map_of(const FlatCell& cell, Interval s, Interval t);

/// The surface over the cell, as a patch over [0, 1]^2: S(u(s, t), v(s, t)).
PatchPtr cell_patch(PatchPtr surface, FlatCell cell);

}  // namespace repose::shape
