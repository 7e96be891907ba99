#pragma once

#include <vector>

#include "repose/shape/shape.h"

namespace repose::shape {

/// The balls beneath the surfels of a point set: what is kept apart, judged and drawn of a surfel
/// body. A ball holds the disc of its surfel, radius a, and has the radius r = kCoverBall a, so its
/// centre lies sqrt(r^2 - a^2) below it.
struct Cover {
  std::vector<Vec3> centers;  // body frame, m; parallel to PointSet::surfels
  std::vector<double> radii;  // m
};
Cover cover_of(const PointSet& set);

/// Radius of a ball over that of its surfel's disc.
inline constexpr double kCoverBall = 2.0;
/// Depth of its centre below the surfel, over the radius of the disc.
double cover_depth();

/// Balls of one body whose centres are nearer at rest than this many sums of their radii belong
/// together: they may overlap. All others are kept apart.
inline constexpr double kNearAtRest = 1.25;

/// The cover as a sphere set whose links are the pairs that belong together; nullptr of any other
/// shape. The same pointer for the same shape, as long as it lives.
ShapePtr cover_shape(const ShapePtr& point_set);

}  // namespace repose::shape
