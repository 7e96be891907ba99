#pragma once

#include "repose/math/interval.h"

namespace repose::check {

/// Encloses the least of |x + t (y - x)| over t in [0, 1], m: how near two balls come whose centres
/// are x apart at first and y at last, each going straight. x and y are exact up to `error`, m.
Interval least_distance(const Vec3& from_a, const Vec3& to_a, const Vec3& from_b, const Vec3& to_b,
                        double error);

}  // namespace repose::check
