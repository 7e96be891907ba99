#pragma once

#include "repose/check/gap.h"

#include "check/gap/prepared.h"

namespace repose::check {

/// Two bodies with surfaces.
GapBracket surface_surface(const PlacedBody& a, Prepared& made_a, const PlacedBody& b,
                           Prepared& made_b, const GapSettings& settings);
/// Of two bodies bounded by plane faces whose bracket leaves the sign of the gap open: finds it
/// without rounding. Bodies that touch get the gap 0; nothing changes for other bodies.
void settle_sign(const PlacedBody& a, Prepared& made_a, const PlacedBody& b, Prepared& made_b,
                 const GapSettings& settings, GapBracket& g);

}  // namespace repose::check
