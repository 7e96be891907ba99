#pragma once

#include "repose/collide/obstacle.h"
#include "repose/math/pose.h"

namespace repose::collide {

/// One convex piece of an obstacle, where it stands.
struct PlacedPiece {
  const Obstacle* obstacle = nullptr;
  int piece = 0;
  Pose world_from_body;

  Vec3 support(const Vec3& direction_world) const {
    return world_from_body *
           obstacle->support(world_from_body.inverse().turn(direction_world), piece);
  }
};

/// A plane between two convex pieces.
struct Parting {
  Vec3 normal = Vec3::UnitZ();  // unit, from lower to upper, world
  double offset = 0.0;          // m; the lower piece lies behind: normal . x <= offset
  double gap = 0.0;             // m, of the upper piece before the plane; negative: none was found
};

/// A plane that parts two pieces by nearly their distance (Gilbert, Johnson, Keerthi 1988);
/// whatever its normal, the gap is a true one. Pieces that touch along faces of boxes part by that
/// face. `upper` has an end; `lower` may be endless.
Parting part(const PlacedPiece& upper, const PlacedPiece& lower);

}  // namespace repose::collide
