#pragma once

#include <limits>

#include "repose/math/vec.h"

#include "check/gap/gjk_simplex.h"
#include "check/verdict/tally.h"

namespace repose::check {

/// The distance of two convex sets, computed: `point_b - point_a` and a plane square to `direction`
/// that is as far from the origin as the difference, up to upper - lower.
template <class Real>
struct CoreDistanceOf {
  Real lower = 0.0;  // by the best plane, computed
  Real upper = 0.0;  // |point_b - point_a|
  VecOf<Real> direction = VecOf<Real>::UnitZ();
  VecOf<Real> point_a, point_b;
  bool meet = false;  // the origin lies in the simplex, or as near as rounding tells: no plane
};

using CoreDistance = CoreDistanceOf<double>;

/// Gilbert, Johnson, Keerthi 1988: farthest_a(d) is the point of a farthest along d, farthest_b(d)
/// the point of b farthest against it. Starts along `start` (any length but zero); stops at
/// upper - lower <= width or lower >= enough; nearer than `nothing` is no distance.
template <class FarthestA, class FarthestB, class Real>
CoreDistanceOf<Real> gjk_of(const FarthestA& farthest_a, const FarthestB& farthest_b,
                            const VecOf<Real>& start, Real width, Real enough, Real nothing) {
  constexpr int kMostSteps = 200;
  CoreDistanceOf<Real> out;
  out.lower = -std::numeric_limits<Real>::infinity();
  out.upper = std::numeric_limits<Real>::infinity();
  GjkSimplexOf<Real> simplex;
  VecOf<Real> v = start;
  for (int step = 0; step < kMostSteps; ++step) {
    const VecOf<Real> d = v / v.norm();
    ++tally.supports;
    const VecOf<Real> a = farthest_a(d), b = farthest_b(d);
    const Real lower = d.dot(b - a);
    if (lower > out.lower) {
      out.lower = lower;
      out.direction = d;
    }
    if (out.upper - out.lower <= width) break;
    if (!simplex.add(a, b)) break;
    v = simplex.nearest();
    out.upper = v.norm();
    if (out.lower >= enough) break;
    if (simplex.full() || out.upper <= nothing) {
      out.meet = true;
      break;
    }
  }
  out.point_a = simplex.point_a();
  out.point_b = simplex.point_b();
  return out;
}

template <class FarthestA, class FarthestB>
CoreDistance gjk(const FarthestA& farthest_a, const FarthestB& farthest_b, const Vec3& start,
                 double width, double enough, double nothing) {
  return gjk_of<FarthestA, FarthestB, double>(farthest_a, farthest_b, start, width, enough,
                                              nothing);
}

}  // namespace repose::check
