#pragma once

#include "repose/shape/patch.h"

namespace repose::check {

/// The least of d.S over a box of parameters.
struct LeastAlong {
  double lower;  // proven, rounding included
  Vec3 point;    // where it is about attained, within `error` of the surface
  double error;
};

/// Where d.S falls or rises along a parameter throughout, the box shrinks to that side; then
/// Taylor's formula about the least point, which leaves nothing but rounding where d.S is convex
/// over the box. The largest of d.S is -least_along(patch, box, -d).lower.
LeastAlong least_along(const shape::Patch& patch, const shape::UvBox& box, const Vec3& d);

}  // namespace repose::check
