#pragma once

#include <array>
#include <memory>
#include <vector>

#include "repose/shape/shape.h"

namespace repose::collide {

/// A plane that a convex piece of a solid lies behind: normal . x <= offset for all of its points.
struct Plane {
  Vec3 normal = Vec3::UnitZ();  // unit
  double offset = 0.0;          // m
  Vec3 foot = Vec3::Zero();     // of the point asked for, on the piece; m

  double gap(const Vec3& point) const { return normal.dot(point) - offset; }
};

/// A point of a piece that may come to lie lowest when the piece turns.
struct Corner {
  Vec3 point = Vec3::Zero();  // m
  int number = 0;             // the same from step to step
};

/// A rigid shape as others meet it, in its own frame: a union of convex pieces. The plane of a
/// piece is a true separator whatever the point, and as high as can be where the point lies
/// outside.
class Obstacle {
 public:
  virtual ~Obstacle() = default;
  virtual int pieces() const { return 1; }
  /// Ground without an end: it has planes, and no support.
  virtual bool endless() const { return false; }
  /// m; positive: it is a ball about its origin.
  virtual double ball_radius() const { return 0.0; }
  /// The farthest point of a piece along a unit direction.
  virtual Vec3 support(const Vec3& direction, int piece) const = 0;
  /// The corners of a piece, the points of its rims and, where it is round, the lowest along
  /// `down`.
  virtual void corners(const Vec3& down, int piece, std::vector<Corner>& out) const = 0;
  /// Pieces nearer than `within` to the point, increasing.
  virtual void near(const Vec3& point, double within, std::vector<int>& pieces) const = 0;
  virtual Plane plane(const Vec3& point, int piece) const = 0;
};

/// Half-spaces, balls, boxes, convex polyhedra, cylinders, cones, capsules and ellipsoids as they
/// are; meshes by their triangles; all else by triangles moved out by their proven chord error.
std::shared_ptr<const Obstacle> obstacle_of(const shape::ShapePtr& shape);

/// Triangles, each a piece, thick by `margin` on both sides.
std::shared_ptr<const Obstacle> triangle_obstacle(std::vector<Vec3> points,
                                                  std::vector<std::array<int, 3>> triangles,
                                                  double margin);

/// The point of a triangle nearest to p.
Vec3 nearest_in_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

}  // namespace repose::collide
