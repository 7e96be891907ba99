#pragma once

#include "convex.h"

namespace repose::pile {

/// Radius of curvature that stands for a flat one, over size.
constexpr double kFlatRadius = 1e4;
/// Corners this near the support plane, of size, belong to the face or edge that touches.
constexpr double kSamePlane = 1e-5;

/// Radii of curvature across `n` (unit, outwards, body frame) of the grown set where it is farthest
/// along n; of a cell, where it is nearest to `towards`. In a flat direction kFlatRadius of its
/// size.
Mat3 bend_across(const Convex& set, const Vec3& n, const Vec3& towards);

/// The same in the world.
Mat3 bend_in_world(const Convex& set, const Pose& world_from_body, const Vec3& n,
                   const Vec3& towards);

}  // namespace repose::pile
