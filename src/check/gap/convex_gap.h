#pragma once

#include "repose/check/gap.h"

#include "check/exact/rounding.h"
#include "check/gap/convex_body.h"

namespace repose::check {

/// Two convex bodies by separating planes and points in both. May end `undecided` where other ways
/// would not; the bracket holds all the same.
GapBracket convex_convex(const PlacedBody& a, const ConvexBody& body_a, const PlacedBody& b,
                         const ConvexBody& body_b, const GapSettings& settings);
/// Endless ground (a) against a convex body (b).
GapBracket ground_convex(const PlacedBody& ground, const PlacedBody& b, const ConvexBody& body,
                         const GapSettings& settings);

}  // namespace repose::check
