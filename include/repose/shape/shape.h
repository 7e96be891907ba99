#pragma once

#include <array>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "repose/shape/kind.h"
#include "repose/shape/mass.h"
#include "repose/shape/solid.h"

namespace repose::shape {

/// A ball about the body's origin.
struct Ball {
  double radius = 1.0;  // m
};

/// All of space below the plane z = 0 of the body frame: endless ground. Only for fixed bodies; its
/// bounding radius is infinite and it is drawn as a large plate.
struct HalfSpace {};

/// Triangles with shared vertices; counter-clockwise seen from outside.
struct TriangleMesh {
  std::vector<Vec3> points;
  std::vector<std::array<int, 3>> triangles;
};

/// Bounded by plane polygons, each counter-clockwise seen from outside.
struct ConvexPolyhedron {
  std::vector<Vec3> points;
  std::vector<std::vector<int>> faces;
};

/// A simple polygon in the plane z = 0 with holes; the outer loop counter-clockwise, holes
/// clockwise, no loop repeats its first point.
struct Polygon {
  std::vector<Vec2> outer;
  std::vector<std::vector<Vec2>> holes;
};
struct Disc {
  Vec2 center = Vec2::Zero();
  double radius = 1.0;
};
/// A body of the plane: a union of polygons and discs, drawn with a thickness.
struct PlaneRegion {
  std::vector<Polygon> polygons;
  std::vector<Disc> discs;
  double thickness = 0.1;  // m, along z, centred on z = 0; for drawing and mass
};

/// Overlapping balls that move one by one (a molecule body).
struct SphereSet {
  std::vector<Vec3> centers;
  std::vector<double> radii;
  std::vector<std::array<int, 2>> links;         // springs
  double pitch = 0.0;                            // m, of the lattice they stand on; 0: none
  std::vector<std::array<int, 3>> lattice = {};  // places on it, in pitches; empty: no lattice
};

/// Surface points with normals over an inner cloud of mass points (a surfel body).
struct PointSet {
  std::vector<Vec3> surfels, normals;
  std::vector<double> surfel_radii;
  std::vector<Vec3> phyxels;
  std::vector<double> phyxel_volumes;
};

/// What a body is made of, in its own frame. Immutable and shared by all bodies that use it.
struct Shape {
  ShapeKind kind = ShapeKind::ball;
  std::variant<Ball, HalfSpace, Solid, TriangleMesh, ConvexPolyhedron, PlaneRegion, SphereSet,
               PointSet>
      geometry;
  double bounding_radius = 0.0;  // m, of the smallest known ball about bounding_center
  Vec3 bounding_center = Vec3::Zero();
  VolumeProperties volume;  // zero volume for open meshes and point sets
};

using ShapePtr = std::shared_ptr<const Shape>;

/// A ball as six curved patches, any other Solid as it is; nullptr where there are no patches.
std::shared_ptr<const Solid> patches_of(const ShapePtr& shape);

/// The polyhedron of a convex shape with plane faces (a box, a ConvexPolyhedron); nullptr for any
/// other.
std::shared_ptr<const ConvexPolyhedron> convex_of(const ShapePtr& shape);

}  // namespace repose::shape
