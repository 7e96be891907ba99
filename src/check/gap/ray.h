#pragma once

#include <Eigen/Geometry>

#include "repose/math/pose.h"

#include "check/exact/rounding.h"
#include "check/gap/piece.h"
#include "check/statics/wrenches.h"

namespace repose::check {

/// Rays followed before a point counts as lying on the surface.
inline constexpr int kRays = 12;
/// Rounding of a product of two or three lengths, with that of the directions.
inline constexpr double kProductError = 64.0 * kUlp;

/// The line through `point` square to t1 and t2, followed towards `along`.
struct Ray {
  Vec3 point, t1, t2, along;

  Ray(const Vec3& from, Random& random) : point(from) {
    tangents(random_direction(random), t1, t2);
    along = t1.cross(t2);
  }
  /// It passes the piece by. `slack`: rounding of the lengths at hand, m.
  bool misses(const Piece& p, double slack) const {
    for (const Vec3* t : {&t1, &t2}) {
      const Span s = span(p, *t);
      const double at = t->dot(point);
      if (at < s.low - slack || at > s.high + slack) return true;
    }
    return span(p, along).high < along.dot(point) - slack;
  }
};

}  // namespace repose::check
