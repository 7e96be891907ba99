#pragma once

#include <limits>

#include "repose/math/vec.h"

#include "check/gap/gjk_simplex.h"
#include "check/verdict/tally.h"

namespace repose::check {

/// The distance of two convex sets, computed: `point_b - point_a` and a plane square to `direction`
/// that is as far from the origin as the difference, up to upper - lower.
struct CoreDistance {
  double lower = 0.0;  // by the best plane, computed
  double upper = 0.0;  // |point_b - point_a|
  Vec3 direction = Vec3::UnitZ();
  Vec3 point_a, point_b;
  bool meet = false;  // the origin lies in the simplex: no plane
};

/// Gilbert, Johnson, Keerthi 1988: farthest_a(d) is the point of a farthest along d, farthest_b(d)
/// the point of b farthest against it. Starts along `start` (any length but zero); stops at
/// upper - lower <= width or lower >= enough; nearer than `nothing` is no distance.
template <class FarthestA, class FarthestB>
CoreDistance gjk(const FarthestA& farthest_a, const FarthestB& farthest_b, Vec3 start, double width,
                 double enough, double nothing) {
  constexpr int kMostSteps = 200;
  CoreDistance out;
  out.lower = -std::numeric_limits<double>::infinity();
  out.upper = std::numeric_limits<double>::infinity();
  GjkSimplex simplex;
  Vec3 v = start;
  for (int step = 0; step < kMostSteps; ++step) {
    const Vec3 d = v / v.norm();
    ++tally.supports;
    const Vec3 a = farthest_a(d), b = farthest_b(d);
    const double lower = d.dot(b - a);
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
  if (out.meet) out.upper = 0.0;
  return out;
}

}  // namespace repose::check
