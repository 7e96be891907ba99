#pragma once

#include "convex.h"

namespace repose::pile {

/// Where two convex sets come nearest.
struct Nearest {
  Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero();  // on the cores, world
  Vec3 normal = Vec3::UnitZ();                          // unit, from a to b; a plane across it
                                                        // separates the two
  double gap = 0.0;     // m, along the normal, radii taken off; below zero: the grown sets overlap
  bool apart = false;   // false: the cores themselves meet, and nothing else is known; hulls that
                        // touch up to rounding count as apart
  bool passes = false;  // the place is at a cell's side beyond which the surface goes on
};

/// The width of the slab across `normal` (unit) between two sets, m: above zero it proves them
/// apart.
double slab_between(const Convex& a, const Pose& world_from_a, const Convex& b,
                    const Pose& world_from_b, const Vec3& normal);

/// Gilbert, Johnson and Keerthi 1988 on the difference of the cores. `gap` never exceeds the true
/// one: it is the width of the slab between the two supports across `normal`; between arcs, which
/// are not convex, it is the distance found. `first`: a normal to begin with.
Nearest nearest_of(const Convex& a, const Pose& world_from_a, const Convex& b,
                   const Pose& world_from_b, const Vec3* first = nullptr);

/// The same of the hulls of cells, without what they swell beyond their corners.
Nearest nearest_of_hulls(const Convex& a, const Pose& world_from_a, const Convex& b,
                         const Pose& world_from_b, const Vec3* first = nullptr);

/// A plane between two sets, cores that are convex, that leaves about as wide a slab as there is:
/// what nearest_of_hulls begins with. `normal` is where to begin, and receives the plane's; answers
/// the slab, m, radii taken off.
double wide_slab(const Convex& a, const Pose& world_from_a, const Convex& b,
                 const Pose& world_from_b, Vec3& normal);

/// The point of a set's core nearest to p (world), p itself where it lies within. No cells.
Vec3 nearest_point(const Convex& set, const Pose& world_from_set, const Vec3& p);

// parts of nearest_of

/// nearest_of where at least one of the two is a cell; the gap is the distance found. `start`:
/// where on the cell (the first of two) to look as well.
Nearest nearest_on_cells(const Convex& a, const Pose& pose_a, const Convex& b, const Pose& pose_b,
                         const Vec2* start = nullptr);

/// nearest_of where at least one of the two is an arc.
Nearest nearest_on_arcs(const Convex& a, const Pose& pose_a, const Convex& b, const Pose& pose_b);

/// Where curved sets nearly touch: looks for the normal feature by feature (a cylinder's side,
/// edges across rims, edges), from the one in `out`, and takes it where the slab across it is wider
/// than `widest` (m). `size` is that of the sets, m.
void search_features(const Convex& a, const Pose& pose_a, const Convex& b, const Pose& pose_b,
                     double size, Nearest& out, double& widest);

}  // namespace repose::pile
