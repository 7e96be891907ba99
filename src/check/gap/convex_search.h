#pragma once

#include "repose/check/gap.h"

#include "check/gap/convex_body.h"
#include "check/gap/distance.h"
#include "check/gap/surface.h"
#include "check/gap/swept.h"

namespace repose::check {

/// The distance of a surface or curve from the core of a convex body. Only the surface is split;
/// the body answers by its farthest points. In the frame of the surface: point_a, piece_a are the
/// surface's, point_b the core's; so are those that the goal knows.
Distance distance_to_core(Surface& surface, const ConvexBody& body, const Frame& body_in_surface,
                          const DistanceGoal& goal);

/// A convex body (a) against another body's surface (b): their gap is the core's less the skin,
/// also where no more than the skin overlaps. May end `undecided` where other ways would not.
GapBracket convex_surface(const PlacedBody& a, const ConvexBody& body, const PlacedBody& b,
                          Surface& surface, const GapSettings& settings);
/// A convex body (a) against a swept one (b), by its spine.
GapBracket convex_swept(const PlacedBody& a, const ConvexBody& body, const PlacedBody& b,
                        Swept& swept, const GapSettings& settings);

}  // namespace repose::check
