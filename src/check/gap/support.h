#pragma once

#include "check/exact/rounding.h"
#include "check/gap/surface.h"

namespace repose::check {

/// How far a surface reaches along a direction: lower <= max d.x <= upper.
struct Support {
  double lower, upper;
  Vec3 point;  // attains `lower` up to rounding
  long tests = 0;
};

/// `direction` is unit up to rounding, body frame. Stops at `width` or after `budget` pieces.
Support support(Surface& surface, const Vec3& direction, double width, int budget);

}  // namespace repose::check
