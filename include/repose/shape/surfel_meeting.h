#pragma once

#include <vector>

#include "repose/math/vec.h"

namespace repose::shape {

/// The surface of a surfel body as it is drawn, in the world.
struct ShownSurface {
  std::vector<Vec3>& points;   // m
  std::vector<Vec3>& normals;  // unit, outward
  double stiffness = 1.0;      // any unit: what is soft gives way to what is stiff
  double spacing = 0.0;        // m, of surfels
};

/// A solid as surfaces see it: a half space, or a ball.
struct ShownSolid {
  Vec3 point = Vec3::Zero();    // m; on the plane, or the ball's centre
  Vec3 normal = Vec3::UnitZ();  // unit, outward; of a half space
  double radius = 0.0;          // m; 0: a half space
};

/// Where surfaces meet one another or a solid, both are drawn upon their contact surface, so that
/// no slit is seen: where F = E1 f1 - E2 f2 vanishes (Keiser 2004, equation 3), with the distances
/// f of equation 1. What is nearer than 0.35 spacings and looks against the other meets; from there
/// to 0.7 spacings, and where it looks askew, it is drawn less and less. All start from where they
/// are, so that their order does not matter. For drawing alone: what is kept apart and judged are
/// the balls.
void draw_together(std::vector<ShownSurface>& surfaces, const std::vector<ShownSolid>& solids);

}  // namespace repose::shape
