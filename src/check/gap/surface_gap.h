#pragma once

#include "repose/check/gap.h"

#include "check/exact/rounding.h"
#include "check/gap/prepared.h"
#include "check/gap/surface.h"

namespace repose::check {

/// Endless ground (a) against a body with a surface (b): the lowest point decides, inside or out.
GapBracket ground_surface(const PlacedBody& ground, const PlacedBody& b, Surface& surface,
                          const GapSettings& settings);
/// A ball of `radius` about `center` (world) against a body with a surface (b).
GapBracket ball_surface(const Vec3& center, double radius, const PlacedBody& b, Prepared& made,
                        const GapSettings& settings);
/// The direction that leads away from all the given outward normals at once: the point of their
/// convex hull nearest to the origin, scaled to unit length. Zero where there is none.
Vec3 escape_direction(const std::vector<Vec3>& normals);

}  // namespace repose::check
