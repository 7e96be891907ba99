#pragma once

#include "repose/check/gap.h"

namespace repose::check {

/// A sphere set is its balls: its gap with another body is the least of their gaps, and two balls
/// that no link joins are different bodies to the judge. Joined balls may overlap.

/// The least gap of two balls of one sphere set that are not joined; infinite, and `apart`, where
/// there are none, `unjudged` where the body is no sphere set.
GapBracket self_gap(const PlacedBody& body, const GapSettings& settings = {});

/// The body has points that move one by one.
bool is_soft(const PlacedBody& body);
/// The body is one ball or many: its ways have closed forms.
bool is_of_balls(const PlacedBody& body);

}  // namespace repose::check
