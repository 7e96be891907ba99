#pragma once

#include <memory>
#include <vector>

#include "repose/math/pose.h"
#include "repose/shape/shape.h"

#include "patch_cell.h"

namespace repose::pile {

/// A convex set in a body's frame: a core grown by a radius. The core is the hull of points, of two
/// discs square to z, or an ellipsoid about a point. Two cores are not convex: an arc, a piece of
/// the circle about z in the plane z = 0, and a cell of a curved surface. Their hulls guide the
/// search for nearest points, which then goes on along the arc or the surface itself, and proofs
/// go by the hulls of ever smaller parts of them.
struct Convex {
  enum class Core { points, discs, ellipsoid, arc, cell };
  struct Disc {
    double radius = 0.0, height = 0.0;  // m; about the z axis, at z = height
  };
  struct Face {
    Vec3 normal = Vec3::UnitZ();  // unit, outwards
    double offset = 0.0;          // m; of all points p of the hull: normal . p <= offset
  };
  Core core = Core::points;
  std::vector<Vec3> points;         // of a hull, also a cell's; of an ellipsoid: its centre
  std::vector<Vec3> faces;          // of a hull: unit normals, one for two opposite sides
  std::vector<Vec3> edges;          // of a hull: unit directions
  std::vector<Face> sides;          // of a hull: its faces; of a triangle also its rims
  Disc low, high;                   // of discs
  Vec3 semi_axes = Vec3::Zero();    // of an ellipsoid
  double ring = 0.0;                // of an arc: the circle's radius, m
  double middle = 0.0, half = 0.0;  // of an arc: the angle of its middle and half its opening, rad
  std::shared_ptr<const PatchCell> cell;  // of a cell
  double radius = 0.0;                    // m
  Vec3 bound_center = Vec3::Zero();       // a ball that holds the grown set
  double bound_radius = 0.0;              // m

  /// The point of an arc nearest to p.
  Vec3 nearest_on_arc(const Vec3& p) const;
  /// The point of the core farthest along `direction` (any length but zero).
  Vec3 support(const Vec3& direction) const;
  /// How that point moves when the direction (unit) turns: the second derivative of the core's
  /// support function, radii of curvature across it. Zero at corners; of an arc's inner side below
  /// zero.
  Mat3 bend(const Vec3& direction) const;
};

/// Pieces whose union is the shape or its surface; empty where the method knows none. Exact: every
/// point of the union's surface is one of the shape's, up to rounding.
std::vector<Convex> convex_pieces(const shape::Shape& shape);

/// Of a union: a convex set for each part that is a ball or a capsule, cells of the surface for any
/// other. Empty for other shapes.
std::vector<Convex> union_pieces(const shape::Shape& shape);
/// The cells of a curved solid's surface; `size`: the body's bounding radius, m.
std::vector<Convex> cell_pieces(const shape::Solid& solid, double size);

/// A flat piece: a convex polygon, corners in order.
Convex polygon_piece(std::vector<Vec3> corners);
/// The surface of a mesh as convex polygons: triangles that lie in one plane are joined as long as
/// the polygon stays convex.
std::vector<Convex> mesh_pieces(const shape::TriangleMesh& mesh);

}  // namespace repose::pile
