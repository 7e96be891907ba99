#pragma once

#include <optional>

#include "repose/check/gap.h"

namespace repose::check {

/// Of the radius of a ball that fits into the body where the two meet: an overlap of more runs
/// through it, or will soon.
inline constexpr double kOverlapShare = 0.02;

/// How deep two bodies may overlap without fault, m. `tolerance` of the smaller one's size, but no
/// more than a share of how thick either is where they meet: a body that runs through another
/// overlaps it however thin the two are. Requires: `g` is their bracket. `share`: of the radius of
/// a ball that fits into the body where the two meet.
double allowed_overlap(const PlacedBody& a, const PlacedBody& b, const GapBracket& g,
                       double tolerance, double share = kOverlapShare);

/// The radius of a ball that fits into the body wherever one comes near it, by formula; nothing
/// where there is none.
std::optional<double> radius_by_formula(const PlacedBody& item);

/// A ball of the radius fits into the body wherever it comes within `reach` of the other; false
/// where none was found.
bool thick_near(const PlacedBody& item, const PlacedBody& other, double reach, double radius);

}  // namespace repose::check
