#pragma once

#include <array>

#include "repose/math/vec.h"

namespace repose::check {

/// A triangle whose corners go straight, all at the same pace.
struct MovingTriangle {
  std::array<Vec3, 3> from, to;
};

/// At a moment of the way a corner of one triangle passes through the inside of the other, or a
/// side of one through a side of the other: from one side of its plane to the other, at one moment
/// between, and all that time strictly within. By intervals: true is proven, false says nothing.
bool pass_through(const MovingTriangle& a, const MovingTriangle& b);

}  // namespace repose::check
