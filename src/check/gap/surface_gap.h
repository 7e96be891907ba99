#pragma once

#include "repose/check/gap.h"

#include "check/exact/rounding.h"
#include "check/gap/prepared.h"
#include "check/gap/surface.h"

namespace repose::check {

/// Endless ground (a) against a body with a surface (b): the lowest point decides, inside or out.
GapBracket ground_surface(const Item& ground, const Item& b, Surface& surface,
                          const GapSettings& settings);
/// A ball of `radius` about `center` (world) against a body with a surface (b).
GapBracket ball_surface(const Vec3& center, double radius, const Item& b, Surface& surface,
                        const GapSettings& settings);
/// Two bodies with surfaces.
GapBracket surface_surface(const Item& a, Prepared& made_a, const Item& b, Prepared& made_b,
                           const GapSettings& settings);
/// Of two bodies bounded by plane faces whose bracket leaves the sign of the gap open: finds it
/// without rounding. Bodies that touch get the gap 0; nothing changes for other bodies.
void settle_sign(const Item& a, Prepared& made_a, const Item& b, Prepared& made_b,
                 const GapSettings& settings, GapBracket& g);

/// The direction that leads away from all the given outward normals at once: the point of their
/// convex hull nearest to the origin, scaled to unit length. Zero where there is none.
Vec3 escape_direction(const std::vector<Vec3>& normals);

}  // namespace repose::check
