#pragma once

#include "convex.h"

namespace repose::pile {

/// Two places of two cells that face each other.
struct CellPair {
  Vec2 uv_a = Vec2::Zero(), uv_b = Vec2::Zero();
  Vec3 on_a = Vec3::Zero(), on_b = Vec3::Zero();  // world
  double distance = 0.0;                          // m
  Vec3 normal = Vec3::UnitZ();                    // unit, from b to a
};

/// The nearest places of two cells that Newton's method finds on both surfaces at once, from the
/// best of a few starts: never nearer than the true ones, mostly those.
CellPair nearest_cell_pair(const Convex& a, const Pose& world_from_a, const Convex& b,
                           const Pose& world_from_b);

}  // namespace repose::pile
