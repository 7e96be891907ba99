#pragma once

#include "repose/math/vec.h"

namespace repose::check {

struct ClosePoints {
  Vec3 a, b;
};

/// The point of triangle t nearest to p, in doubles.
Vec3 closest_on_triangle(const Vec3& p, const Vec3 t[3]);
/// Nearest points of the segments p1 q1 and p2 q2, in doubles.
ClosePoints closest_of_segments(const Vec3& p1, const Vec3& q1, const Vec3& p2, const Vec3& q2);
/// Nearest points of two triangles, in doubles; a common point where they cross.
ClosePoints closest_of_triangles(const Vec3 a[3], const Vec3 b[3]);

}  // namespace repose::check
