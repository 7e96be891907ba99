#pragma once

#include "repose/check/gap.h"

#include "check/gap/prepared.h"

namespace repose::check {

/// Faces are sewn together where they are open by a little, and rays that look for nested bodies
/// keep clear of that; but a body thin enough may pass through such a slit without meeting any
/// face. False: the second body comes so near to a seam of the first, and is so thin there, that it
/// may.
bool keeps_out_of_slits(const PlacedBody& sewn, Prepared& made, const PlacedBody& other,
                        Prepared& made_other, const GapBracket& g, const GapSettings& settings);

}  // namespace repose::check
