#pragma once

#include "repose/record/drawing.h"

namespace repose::exchange {

/// Triangles of one drawing in its body frame; normals are always there.
struct Surface {
  std::vector<Vec3> points;
  std::vector<Vec3> normals;
  std::vector<std::array<int, 3>> triangles;
};

/// A ball about the origin, by latitude and longitude.
Surface ball_surface(double radius, int rings);

/// Of a ball, a mesh, or a half space (a plate of `ground_half_width`). Spheres and surfels have
/// no surface of their own: each of their points is a ball.
Surface surface_of(const DrawingShape& shape, double ground_half_width);

/// How wide endless ground is drawn under these frames' bodies: a few times what they span.
double ground_half_width(const std::vector<Vec3>& positions, double largest_body);

inline constexpr int kBallRings = 24;   // of a body that is a ball
inline constexpr int kPointRings = 10;  // of a soft body's point

}  // namespace repose::exchange
