#pragma once

#include "check/gap/surface.h"

namespace repose::check {

enum class Side { inside, outside, unknown };

/// Whether a point (body frame) lies in the solid that a closed surface bounds, proven: rays are
/// followed until one crosses every piece either surely not or surely once (Krawczyk's operator on
/// patches, exact signs on triangles). The point is inside where the surface winds about it, once
/// or more often: crossings outward less crossings inward. `unknown` on the surface itself (of
/// patches up to rounding), where it winds about the point the wrong way, and for surfaces that
/// bound nothing. A union holds the point if one part does. `splits`: pieces of patches that may be
/// halved for it, by all its rays; what it takes is taken off, and without any left it is
/// `unknown`.
Side side_of(Surface& surface, const Vec3& point, int& splits);
/// The same, for a point asked for alone.
inline constexpr int kMostSplits = 20'000;
inline Side side_of(Surface& surface, const Vec3& point) {
  int splits = kMostSplits;
  return side_of(surface, point, splits);
}

}  // namespace repose::check
