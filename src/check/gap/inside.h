#pragma once

#include "check/gap/surface.h"

namespace repose::check {

enum class Side { inside, outside, unknown };

/// Whether a point (body frame) lies in the solid that a closed surface bounds, proven: rays are
/// followed until one crosses every piece either surely not or surely once (Krawczyk's operator on
/// patches, exact signs on triangles). `unknown` on the surface itself (of patches up to rounding)
/// and for surfaces that bound nothing. A union holds the point if one part does.
Side side_of(Surface& surface, const Vec3& point);

}  // namespace repose::check
