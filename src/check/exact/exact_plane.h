#pragma once

#include "check/exact/exact_meeting.h"

namespace repose::check {

/// How two plane regions stand to each other, without rounding; `inside` holds points of the sides
/// of one inside the other (seen from `origin`, z = 0), at most a few dozen. `unknown` where one
/// has discs or is tipped out of the plane at all.
ExactMeeting exact_plane_meeting(const PlacedBody& a, const PlacedBody& b,
                                 const Vec3& origin = Vec3::Zero());

}  // namespace repose::check
