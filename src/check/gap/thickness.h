#pragma once

#include "repose/check/gap.h"

namespace repose::check {

/// How deep two bodies may overlap without fault, m. `tolerance` of the smaller one's size, but no
/// more than a share of how thick either is where they meet: a body that runs through another
/// overlaps it however thin the two are. Requires: `g` is their bracket.
double allowed_overlap(const PlacedBody& a, const PlacedBody& b, const GapBracket& g,
                       double tolerance);

}  // namespace repose::check
