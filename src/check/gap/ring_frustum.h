#pragma once

#include "repose/check/gap.h"

#include "check/gap/convex_body.h"
#include "check/gap/swept.h"

namespace repose::check {

/// A torus and a cone or cylinder, cut off or not, that stand about very nearly one axis: in closed
/// form with outward rounding, contact along the whole circle included. Of others the bracket holds
/// as well, but is wide: `undecided`. Requires: `body` is a frustum and the spine of `swept` a
/// ring.
GapBracket ring_frustum(const PlacedBody& a, const ConvexBody& body, const PlacedBody& b,
                        const Swept& swept, const GapSettings& settings);

}  // namespace repose::check
