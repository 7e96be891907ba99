#pragma once

#include <vector>

#include "repose/math/vec.h"

namespace repose::check {

/// Corners of a convex polygon, counter-clockwise; two are a segment, one is a point.
using Polygon = std::vector<Vec2>;

/// The area that they span; positive where b lies to the left of a.
double wedge(const Vec2& a, const Vec2& b);
/// Positive where the corners go counter-clockwise.
double area(const Polygon& p);
/// The part of it to the left of the line from p to q.
Polygon left_of(const Polygon& in, const Vec2& p, const Vec2& q);
/// What both hold. Requires: `b` has three corners or more.
Polygon common_part(const Polygon& a, const Polygon& b);

}  // namespace repose::check
