#pragma once

#include "repose/check/gap.h"

namespace repose::check {

/// What a bracket tells: `apart` where its lower bound is at least `enough` (m), `closed` where it
/// is no wider than `closed` (m), `overlap` where it lies below -`width` (m) whole.
GapStatus status_of(const GapBracket& bracket, double width, double enough, double closed);
/// ... where `width` is also the width that closes it.
GapStatus status_of(const GapBracket& bracket, double width, double enough);
/// ... with the settings for a pair of that size (m).
GapStatus status_of(const GapBracket& bracket, const GapSettings& settings, double size);

/// The bracket with a and b exchanged.
GapBracket swapped(GapBracket bracket);

}  // namespace repose::check
