#pragma once

#include <vector>

#include "repose/shape/shape.h"
#include "repose/shape/tessellate.h"

namespace repose::poses {

/// The farthest points of a curved body along a direction, found from the vertices of its
/// tessellation and slid along the surface to where they are farthest.
class FarthestPoints {
 public:
  /// Requires: the shape has patches or is a sphere set. `chord` as in TessellateSettings.
  FarthestPoints(const shape::ShapePtr& shape, double chord);

  /// Points whose hull is within chord_error() of the body's.
  const std::vector<Vec3>& points() const { return points_; }
  double chord_error() const { return chord_error_; }  // m, proven

  Vec3 farthest(const Vec3& direction) const;
  /// Up to `most` points within a little of the farthest, well apart.
  std::vector<Vec3> all_farthest(const Vec3& direction, std::size_t most) const;

 private:
  std::vector<std::size_t> near_top(const Vec3& direction) const;
  Vec3 slide(std::size_t vertex, const Vec3& direction) const;

  shape::ShapePtr shape_;
  shape::Tessellation mesh_;
  std::vector<Vec3> points_;
  std::vector<double> radii_;  // sphere sets
  double chord_error_ = 0.0;
};

}  // namespace repose::poses
