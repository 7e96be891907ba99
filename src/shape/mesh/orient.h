#pragma once

#include "repose/math/vec.h"

namespace repose::shape {

/// The exact sign (-1, 0, 1) of det[b - a, c - a, d - a]: +1 where d lies on the side from which
/// a, b, c run counter-clockwise. A floating-point filter decides the plain cases, exact expansions
/// (Shewchuk 1997) the rest.
int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

}  // namespace repose::shape
