#pragma once

#include "repose/shape/shape.h"

namespace repose::shape {

/// Signed distance in the plane, negative inside.
double polygon_gap(const Polygon& polygon, const Vec2& p);
double disc_gap(const Disc& disc, const Vec2& p);
/// To the region as a slab of its thickness: the least over its pieces.
double slab_gap(const PlaneRegion& region, const Vec3& p);

}  // namespace repose::shape
