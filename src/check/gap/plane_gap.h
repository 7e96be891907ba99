#pragma once

#include "repose/check/contacts.h"
#include "repose/check/gap.h"

namespace repose::check {

/// Two bodies of the plane, both lying in it. Polygons and discs are solid; distances are measured
/// in the plane.
GapBracket plane_gap(const PlacedBody& a, const PlacedBody& b, const GapSettings& settings);

/// Corners on sides, discs on sides and discs on discs nearer than `touch` metres.
std::vector<ContactPoint> plane_contacts(const PlacedBody& a, const PlacedBody& b, double touch);

}  // namespace repose::check
