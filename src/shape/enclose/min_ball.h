#pragma once

#include <vector>

#include "repose/math/vec.h"

namespace repose::shape {

struct BoundingBall {
  Vec3 center = Vec3::Zero();
  double radius = 0.0;
};

/// The smallest ball about the points, up to rounding; every point surely lies in it. Grows the
/// ball by the farthest point until none is left outside (Gaertner 1999's pivot rule), solving
/// each small problem by trying every support set.
BoundingBall min_ball(const std::vector<Vec3>& points);

}  // namespace repose::shape
