#pragma once

#include <functional>
#include <optional>

#include "repose/check/gap.h"

namespace repose::check {

/// How a pair of bodies is judged, one of them perhaps a part of a union.
using JudgePair = std::function<GapBracket(const PlacedBody&, const PlacedBody&)>;

/// A union and another body are apart if every part is, and overlap if one does. Parts that were
/// put in their places by a rotation are judged there as what they were before: a torus is one
/// again. Nothing where neither body has several parts, or both too many.
std::optional<GapBracket> gap_by_parts(const PlacedBody& a, const PlacedBody& b,
                                       const JudgePair& judge);

}  // namespace repose::check
