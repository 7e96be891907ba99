#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "repose/base/result.h"
#include "repose/math/pose.h"
#include "repose/shape/shape.h"

namespace repose::shape {

// Every kind of shape, made from plain numbers. What comes back is complete: validated, outward
// oriented, with sharp edges and vertices, bounding ball and volume properties. An error's pointer
// is that of the field below it ("/radius", "/profile/3"); the caller adds the place before it.
// Lengths are metres and lie in [1e-9, 1e9]; coordinates at most 1e9 from the origin.

/// A ball about the origin.
struct BallInput {
  double radius = 1.0;
};
Result<ShapePtr> make_ball(const BallInput& in);

/// Endless ground: all points with z <= 0. Only for fixed bodies.
Result<ShapePtr> make_half_space();

/// Edges along the axes, centred on the origin.
struct BoxInput {
  Vec3 size = Vec3::Ones();  // whole edge lengths
};
Result<ShapePtr> make_box(const BoxInput& in);

/// Half axes along x, y, z, centred on the origin.
struct EllipsoidInput {
  Vec3 radii = Vec3::Ones();
};
Result<ShapePtr> make_ellipsoid(const EllipsoidInput& in);

/// (|x/a|^(2/e) + |y/b|^(2/e))^(e/n) + |z/c|^(2/n) = 1, e = east_west, n = north_south.
/// 1 is round, towards 0 a box. Both in (0, 1].
struct SuperellipsoidInput {
  Vec3 radii = Vec3::Ones();
  double north_south = 1.0;
  double east_west = 1.0;
};
Result<ShapePtr> make_superellipsoid(const SuperellipsoidInput& in);

/// Axis z, from -height/2 to height/2.
struct CylinderInput {
  double radius = 0.5;
  double height = 1.0;
};
Result<ShapePtr> make_cylinder(const CylinderInput& in);

/// Axis z, base of `radius` at z = 0, at z = height a disc of `top_radius` or, where that is 0, the
/// apex (a real vertex).
struct ConeInput {
  double radius = 0.5;
  double height = 1.0;
  double top_radius = 0.0;
};
Result<ShapePtr> make_cone(const ConeInput& in);

/// All points within `radius` of the segment from z = -height/2 to height/2.
struct CapsuleInput {
  double radius = 0.25;
  double height = 1.0;  // of the straight part
};
Result<ShapePtr> make_capsule(const CapsuleInput& in);

/// Axis z. tube_radius < ring_radius.
struct TorusInput {
  double ring_radius = 1.0;  // of the tube's centre line
  double tube_radius = 0.25;
};
Result<ShapePtr> make_torus(const TorusInput& in);

/// A profile turned about the z axis. The profile is a twice differentiable spline through its
/// points; at a corner point it may turn sharply. An open profile's end on the axis is a smooth
/// pole, or an apex if it is marked as a corner; an end off the axis is capped by a flat disc.
struct RevolutionInput {
  std::vector<Vec2> profile;  // (distance from the axis, height), in order
  std::vector<int> corners;   // indices into `profile`
  bool closed = false;        // the last point joins the first (a ring); no point on the axis
};
Result<ShapePtr> make_revolution(const RevolutionInput& in);

enum class TubeCap { flat, round };

/// A round tube along a spline through `spine`, its radius splined too.
struct TubeInput {
  std::vector<Vec3> spine;
  std::vector<double> radii;  // one for all, or one for each spine point
  bool closed = false;        // the last point joins the first smoothly; no caps
  TubeCap cap = TubeCap::round;
};
Result<ShapePtr> make_tube(const TubeInput& in);

/// How patches given one by one are sewn into a closed surface.
struct SewInput {
  /// Patch edges nearer than this count as one. Fraction of the body's size; (0, 1e-2].
  double gap_fraction = 1e-6;
  /// Faces meeting at less than this angle are smooth there. Degrees; (0, 45].
  double smooth_angle_deg = 0.5;
};

/// Bicubic patches. Control points row by row: [i][j] with i along u, j along v.
struct BezierInput {
  std::vector<std::array<std::array<Vec3, 4>, 4>> patches;
  SewInput sew;
};
Result<ShapePtr> make_bezier(const BezierInput& in);

struct BsplinePatchInput {
  int degree_u = 3, degree_v = 3;            // [1, 7]
  std::vector<double> knots_u, knots_v;      // non-decreasing; count = points + degree + 1
  std::vector<std::vector<Vec3>> points;     // [i][j], i along u, j along v
  std::vector<std::vector<double>> weights;  // same layout, > 0; empty: all 1
};
/// Tensor-product (rational) B-spline patches.
struct BsplineInput {
  std::vector<BsplinePatchInput> patches;
  SewInput sew;
};
Result<ShapePtr> make_bspline(const BsplineInput& in);

struct FormulaPatchInput {
  std::string x, y, z;  // expressions of u, v and the parameters
  double u0 = 0.0, u1 = 1.0, v0 = 0.0, v1 = 1.0;
};
/// Patches written as formulas. An error in one names its column.
struct FormulaInput {
  std::vector<FormulaPatchInput> patches;
  std::map<std::string, double> parameters;
  SewInput sew;
};
Result<ShapePtr> make_formula(const FormulaInput& in);

struct UnionPart {
  ShapePtr shape;  // a ball or any kind made of patches, unions included
  Pose pose;       // body from part
};
/// The union of closed parts that may overlap.
struct UnionInput {
  std::vector<UnionPart> parts;
};
Result<ShapePtr> make_union(const UnionInput& in);

struct MeshInput {
  TriangleMesh mesh;
  bool open =
      false;  // true: need not be closed; then it has no volume and serves fixed bodies only
};
/// Identical points become one; a mesh inside out is turned.
Result<ShapePtr> make_mesh(const MeshInput& in);

struct MeshFileInput {
  std::string path;  // .obj .stl .ply .gltf .glb .dae
  double scale = 1.0;
  bool open = false;
};
Result<ShapePtr> make_mesh_file(const MeshFileInput& in);
/// The file's triangles in metres, as read_mesh_file has them.
Result<TriangleMesh> read_scaled_mesh(const MeshFileInput& in);

/// The convex hull of the points; or, if faces are given, the polyhedron they bound, which must be
/// convex and closed. Faces are planar, counter-clockwise seen from outside.
struct ConvexInput {
  std::vector<Vec3> points;
  std::vector<std::vector<int>> faces;
};
Result<ShapePtr> make_convex(const ConvexInput& in);

/// Loops may be given in either direction; they are turned as PlaneRegion wants them. Pieces may
/// overlap; area and mass are those of their union.
Result<ShapePtr> make_plane_region(const PlaneRegion& in);

/// Volume properties are those of the balls taken one by one (their masses add, overlap or not).
/// Refused: two balls in one place, a link twice.
Result<ShapePtr> make_sphere_set(const SphereSet& in);

/// Which balls of a lattice hold each other: all pairs up to this many pitches apart; [1, 4].
/// Those up to sqrt(2) make an isotropic body of Poisson ratio 1/4 (all springs alike).
inline constexpr double kNeighbourhood = 1.4142135623730951;

/// Balls on a cubic lattice about the origin; x counts slowest, z fastest.
struct LatticeInput {
  std::array<int, 3> counts{2, 2, 2};
  double pitch = 0.1;                     // m
  double radius = 0.05;                   // m
  double neighbourhood = kNeighbourhood;  // pitches
};
Result<ShapePtr> make_lattice(const LatticeInput& in);

/// A closed shape filled with balls on a cubic lattice.
struct FillInput {
  ShapePtr shape;
  double pitch = 0.1;                     // m
  double radius = 0.05;                   // m
  double neighbourhood = kNeighbourhood;  // pitches
  std::optional<double> inset;            // m, least depth of a centre; absent: the radius
  /// The body is made of the lattice's cells whose middle lies at that depth or deeper, and its
  /// outer places are drawn onto the depth, so that the outline follows the shape and not the
  /// lattice.
  bool skin = false;
};
/// Volume properties are those of the shape that is filled. Refused: an open shape, fewer than two
/// balls.
Result<ShapePtr> make_fill(const FillInput& in);

/// Joins all balls whose centres are at most `distance` (m) apart, and finds the lattice they stand
/// on: centres that are whole pitches apart along the axes, the pitch being the least distance.
void link_within(double distance, SphereSet& set);

/// Volume properties are those of the phyxels as mass points.
Result<ShapePtr> make_point_set(const PointSet& in);

}  // namespace repose::shape
