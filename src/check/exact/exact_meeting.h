#pragma once

#include <vector>

#include "check/exact/rounding.h"
#include "check/gap/surface.h"

namespace repose::check {

/// How two solids bounded by triangles stand to each other, without rounding.
struct ExactMeeting {
  enum class Kind {
    unknown,   // too much touches at once, or a number left the range of doubles
    apart,     // no common point
    touching,  // common points, none inside both: the gap is 0
    overlap,   // points inside both
  };
  Kind kind = Kind::unknown;
  /// Points of one surface inside the other body, where corners and sides met so that no two
  /// triangles cross; frame of a.
  std::vector<Vec3> inside;
};

/// Both surfaces consist of triangles and bound a volume.
bool has_exact_meeting(const Surface& a, const Surface& b);

/// Triangles that rounding does not tell apart are compared exactly. If none cross, what touches
/// cuts each triangle into cells, each wholly in, out of or on the other body: a point of each
/// tells. Requires: has_exact_meeting, and neither surface cuts itself.
ExactMeeting exact_meeting(const PlacedBody& a, Surface& surface_a, const PlacedBody& b,
                           Surface& surface_b);

}  // namespace repose::check
