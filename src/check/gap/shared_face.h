#pragma once

#include <optional>
#include <vector>

#include "repose/check/input.h"

namespace repose::check {

/// What two bodies share that lie on each other face to face.
struct SharedFace {
  Vec3 normal_a_to_b;         // unit, world
  std::vector<Vec3> corners;  // world; convex, in order; round rims as corners on them
  std::vector<double> gaps;   // m, at each corner
};

struct FaceSettings {
  double touch = 0.0;    // m; faces lie on each other where no corner's gap is larger
  int rim_corners = 50;  // chords leave out (pi / corners)^2 / 2 of the radius
};

/// Of a cylinder or cone, cut off or not, that stands with a flat end on ground, on another one or
/// on a convex body with plane faces: every place between the corners is shared as well, and convex
/// bodies that do not overlap touch nowhere else. Nothing where no two faces lie on each other.
std::optional<SharedFace> shared_face(const PlacedBody& a, const PlacedBody& b,
                                      const FaceSettings& s);

}  // namespace repose::check
