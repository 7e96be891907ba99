#pragma once

#include <vector>

#include "convex.h"

namespace repose::pile {

/// A place where two convex sets may come to touch: the gap across `normal` there.
struct TouchPoint {
  Vec3 point = Vec3::Zero();    // world, between the two surfaces
  Vec3 normal = Vec3::UnitZ();  // unit, from a to b
  double gap = 0.0;             // m
  bool passes = false;          // as in Nearest
};

/// The nearest points of two convex sets and, where faces or edges lie along each other, the
/// corners of the common area: what must stay apart when the two also turn by up to about `tilt`
/// (rad). Nothing where they are farther apart than `within` (m); where the cores meet, the
/// direction of least depth of hulls, else a gap of minus infinity.
void find_touch_points(const Convex& a, const Pose& world_from_a, const Convex& b,
                       const Pose& world_from_b, double within, double tilt,
                       std::vector<TouchPoint>& out);

/// The same against the half-space on the far side of the plane through `origin` across `normal`.
void find_plane_points(const Vec3& origin, const Vec3& normal, const Convex& b,
                       const Pose& world_from_b, double within, double tilt,
                       std::vector<TouchPoint>& out);

/// The same where at least one of the two is a cell: the place where they are nearest and the feet
/// of the other's corners on the cell. Where they are far apart next to what their hulls hold
/// beyond them, the hulls tell the place.
void find_cell_points(const Convex& a, const Pose& world_from_a, const Convex& b,
                      const Pose& world_from_b, double within, double tilt,
                      std::vector<TouchPoint>& out);

/// How far a convex set, of a cell its hull, is above that plane; below zero: it reaches through.
double height_above(const Vec3& origin, const Vec3& normal, const Convex& b,
                    const Pose& world_from_b);

}  // namespace repose::pile
