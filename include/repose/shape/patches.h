#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "repose/base/result.h"
#include "repose/math/pose.h"
#include "repose/shape/patch.h"

namespace repose::shape {

// Lengths in metres, body frame; parameters u, v are pure numbers or radians, so that a patch blown
// up 1000 times has the same domain. Su x Sv points away from the axis or centre unless said
// otherwise. A bad number gives an InputError whose `pointer` is the argument's name ("/radius").

/// origin + u edge_u + v edge_v over [0, 1]^2; Su x Sv is edge_u x edge_v.
Result<PatchPtr> plane_patch(const Vec3& origin, const Vec3& edge_u, const Vec3& edge_v);

/// The disc about the origin in the plane z = 0, Su x Sv along +z, over [-1, 1]^2:
/// r (u sqrt(1 - v^2/2), v sqrt(1 - u^2/2)). Analytic and without a pole; the square's corners lie
/// on the rim, where the chart flattens (no smooth chart of a disc by a square can avoid that).
Result<PatchPtr> disc_patch(double radius);
/// The flat ring inner <= r <= outer in the plane z = 0, Su x Sv along -z:
/// u in [-pi, pi] is the angle, v in [0, 1] runs outward.
Result<PatchPtr> annulus_patch(double inner, double outer);

/// The faces of a cube, blown onto a surface about its centre by central projection: no poles.
enum class CubeFace { x_high, x_low, y_high, y_low, z_high, z_low };

/// One of the six charts over [-1, 1]^2 of the ellipsoid (x/a)^2 + (y/b)^2 + (z/c)^2 = 1.
Result<PatchPtr> ellipsoid_patch(const Vec3& semi_axes, CubeFace face);
/// All six, in the order of CubeFace.
Result<std::vector<PatchPtr>> ellipsoid_patches(const Vec3& semi_axes);
Result<std::vector<PatchPtr>> sphere_patches(double radius);
/// The half z >= 0 of a sphere as five charts: z_high whole, then the upper halves of x_high,
/// x_low, y_high, y_low.
Result<std::vector<PatchPtr>> hemisphere_patches(double radius);

/// ((|x/a|^(2/e) + |y/b|^(2/e))^(e/n) + |z/c|^(2/n) = 1 with e = east_west, n = north_south.
/// Both exponents lie in (0, 1]; rounder to the eye as they near 1 (an ellipsoid), boxier towards
/// 0. north_south = 1 needs east_west = 1, since the curvature would jump at the poles.
struct Superellipsoid {
  Vec3 semi_axes = Vec3::Ones();
  double north_south = 1.0;
  double east_west = 1.0;
};
Result<PatchPtr> superellipsoid_patch(const Superellipsoid& s, CubeFace face);
Result<std::vector<PatchPtr>> superellipsoid_patches(const Superellipsoid& s);

/// The side of a cylinder about z: u in [-pi, pi] is the angle, v in [0, 1] runs from z0 up to z1.
Result<PatchPtr> cylinder_side(double radius, double z0, double z1);
/// The side of a cone or its frustum: radius r0 at z0 (v = 0), r1 at z1 (v = 1). One radius may be
/// 0: an apex, where normal() is the limit along that u.
Result<PatchPtr> cone_side(double r0, double r1, double z0, double z1);

/// u in [-pi, pi] runs about z, v in [-pi, pi] about the tube, v = 0 outermost. Requires
/// major > minor.
Result<PatchPtr> torus_patch(double major, double minor);

/// A point of a profile in the half plane r >= 0; a corner ends one smooth piece and begins the
/// next.
struct ProfilePoint {
  double r = 0.0, z = 0.0;
  bool corner = false;
};
/// The profile turned about z, one patch per smooth piece in order: u in [-pi, pi] is the angle,
/// v in [0, 1] runs along the piece. Each piece is the C2 cubic spline through its points, or a
/// straight line where it has two; a straight piece square to the axis that touches it is a
/// disc_patch, turned as the piece asks. (zu, -ru) turned is the normal: a profile that runs
/// counter-clockwise in the (r, z) plane, upward on the outside, gives outward normals. Where the
/// first or last point lies on the axis the spline meets it square and smooth, unless that point is
/// marked a corner: a tip. `closed` joins the last point to the first; do not repeat it.
Result<std::vector<PatchPtr>> revolved_patches(const std::vector<ProfilePoint>& profile,
                                               bool closed = false);

/// A round tube along a space curve.
struct Tube {
  std::vector<Vec3> spine;    // m; the C2 cubic spline through these is the centre line
  std::vector<double> radii;  // m; one for all, or one per spine point, splined alike
  bool closed = false;        // joined smoothly to the first point, which is not repeated
  bool round_ends = true;     // hemispheres; else flat discs
};
/// S(u, v) = C(v) + r(v) (cos u N(v) + sin u B(v)), u in [-pi, pi], v in [0, 1]. The frame N, B is
/// turned by q(v)/|q(v)|, where q is the C2 cubic spline through quaternions of the
/// rotation-minimising frame (double reflection: Wang, Juettler, Zheng, Liu 2008), taken densely
/// along the spine. So S is C2 and its derivatives are plain algebra of splines; the sections are
/// square to the spine where the frames were taken, ends included, and very nearly so between.
struct TubePatches {
  PatchPtr side;
  std::vector<PatchPtr> begin_cap, end_cap;  // one disc or five hemisphere charts; none if closed
  Pose begin_pose, end_pose;                 // cap frames: origin on the spine's end, z outward
  double begin_radius = 0.0, end_radius = 0.0;
};
Result<TubePatches> tube_patches(const Tube& tube);

/// A bicubic Bezier patch over [0, 1]^2; points[i][j] with i along u, j along v.
using BezierNet = std::array<std::array<Vec3, 4>, 4>;
Result<PatchPtr> bezier_patch(const BezierNet& points);

/// A tensor-product B-spline, rational where it has weights.
struct Bspline {
  int degree_u = 3, degree_v = 3;            // [1, 7]
  std::vector<double> knots_u, knots_v;      // non-decreasing; count = points + degree + 1
  std::vector<std::vector<Vec3>> points;     // [i][j], i along u, j along v
  std::vector<std::vector<double>> weights;  // same layout, in [1e-6, 1e6]; empty: all 1
};
/// The surface over [knots[degree], knots[count]] in each direction, cut at knots where it is less
/// than twice continuously differentiable: one patch where it is smooth, else one per smooth cell,
/// v running fastest. The parameters are the knots' own.
Result<std::vector<PatchPtr>> bspline_patches(const Bspline& spline);

/// x, y, z as formulas of u, v and the parameters (repose/math/expression.h says what they may
/// hold). The formulas and two derivatives must be finite over the domain; an error in one names
/// its column and "/x", "/y" or "/z".
struct Formula {
  std::string x, y, z;
  std::map<std::string, double> parameters;
  UvBox domain;
};
Result<PatchPtr> formula_patch(const Formula& formula);

/// The patch moved by a pose, or by any affine map; Su x Sv of the image turns with it, and flips
/// where the map mirrors.
PatchPtr placed(PatchPtr patch, const Pose& pose);
/// Requires: `linear` is invertible.
PatchPtr mapped(PatchPtr patch, const Mat3& linear, const Vec3& shift);
/// Only the part over `box`. Requires: `box` lies in the patch's domain.
PatchPtr restricted(PatchPtr patch, const UvBox& box);

}  // namespace repose::shape
