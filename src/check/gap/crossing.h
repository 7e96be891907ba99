#pragma once

#include "check/gap/pair_case.h"

namespace repose::check {

/// The signed bracket of surfaces that touch or cross. Requires: g.upper and its witnesses are
/// those of their distance.
void judge_touching(Case& c, const Distance& touching, GapBracket& g);

/// Lowers g.upper to what p (frame of a), a surface point of one, proves of overlap.
void try_witness(Case& c, const Vec3& p, bool of_a, GapBracket& g);

}  // namespace repose::check
