#pragma once

#include <variant>
#include <vector>

#include "repose/math/vec.h"
#include "repose/shape/make.h"

namespace repose::shape {

// Faces as CAD systems have them: a surface of simple formula or a spline, cut off along curves of
// its parameters (u, v). Lengths in metres, angles in radians.

/// Where a surface stands: x, y and z are unit vectors square to each other, body frame.
struct SurfaceFrame {
  Vec3 origin = Vec3::Zero();
  Vec3 x = Vec3::UnitX(), y = Vec3::UnitY(), z = Vec3::UnitZ();
};
/// origin + u x + v y.
struct PlaneSurface : SurfaceFrame {};
/// origin + radius (cos u x + sin u y) + v z.
struct CylinderSurface : SurfaceFrame {
  double radius = 1.0;
};
/// origin + (radius + v sin half_angle) (cos u x + sin u y) + v cos half_angle z.
struct ConeSurface : SurfaceFrame {
  double radius = 1.0;      // at v = 0; may be 0
  double half_angle = 0.5;  // in (-pi/2, pi/2), not 0
};
/// origin + radius (cos v (cos u x + sin u y) + sin v z).
struct SphereSurface : SurfaceFrame {
  double radius = 1.0;
};
/// The same sphere by stereographic projection from its point at -z: with q = 4 + u^2 + v^2
/// origin + radius (4 u x + 4 v y + (4 - u^2 - v^2) z) / q. It has no pole, and circles on the
/// sphere are circles of (u, v).
struct SphereChart : SurfaceFrame {
  double radius = 1.0;
};
/// origin + (ring_radius + tube_radius cos v) (cos u x + sin u y) + tube_radius sin v z.
struct TorusSurface : SurfaceFrame {
  double ring_radius = 1.0;
  double tube_radius = 0.25;
};
/// A plane B-spline, rational where it has weights, from parameter t0 to t1, which may be less.
struct TrimSpline {
  int degree = 3;  // [1, 25]
  std::vector<double> knots;
  std::vector<Vec2> points;
  std::vector<double> weights;  // empty: all 1
  double t0 = 0.0, t1 = 1.0;
};
/// origin + r (cos u x + sin u y) + h z, (r, h) being the profile at v; it runs from its t0 to t1.
struct TurnedSurface : SurfaceFrame {
  TrimSpline profile;
};
/// A tensor-product B-spline, rational where it has weights.
struct SplineSurface {
  int degree_u = 3, degree_v = 3;            // [1, 7]
  std::vector<double> knots_u, knots_v;      // non-decreasing; count = points + degree + 1
  std::vector<std::vector<Vec3>> points;     // [i][j], i along u, j along v
  std::vector<std::vector<double>> weights;  // same layout, > 0; empty: all 1
};
using TrimSurface = std::variant<PlaneSurface, CylinderSurface, ConeSurface, SphereSurface,
                                 SphereChart, TorusSurface, TurnedSurface, SplineSurface>;

/// From one place of (u, v) straight to another.
struct TrimLine {
  Vec2 from = Vec2::Zero(), to = Vec2::UnitX();
};
/// center + cos t a + sin t b from t0 to t1, which may be less.
struct TrimArc {
  Vec2 center = Vec2::Zero(), a = Vec2::UnitX(), b = Vec2::UnitY();
  double t0 = 0.0, t1 = 1.0;
};
using TrimCurve = std::variant<TrimLine, TrimArc, TrimSpline>;

/// The part of a surface within its first loop and outside the others. Loops may run either way;
/// each curve begins where the one before ends, and none crosses another.
struct TrimFace {
  TrimSurface surface;
  std::vector<std::vector<TrimCurve>> loops;
};

/// Faces that together close. Each becomes four-sided patches that cover it exactly; all of them
/// are sewn.
struct TrimmedInput {
  std::vector<TrimFace> faces;
  SewInput sew;
};
/// An error's pointer is the field below it ("/faces/3/loops/0/2/t1").
Result<ShapePtr> make_trimmed(const TrimmedInput& in);

}  // namespace repose::shape
