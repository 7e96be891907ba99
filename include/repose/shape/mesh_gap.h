#pragma once

#include <memory>

#include "repose/shape/shape.h"

namespace repose::shape {

/// Bounds on a point's signed distance to a surface (negative inside), from triangles whose chord
/// error is proven. Coarser than InsideTest, but the nearest triangle is truly the nearest.
class MeshGap {
 public:
  /// `chord_fraction`: of the bounding radius; (0, 1]. Smaller: tighter bounds, more triangles.
  MeshGap(const Shape& shape, double chord_fraction);
  ~MeshGap();
  MeshGap(MeshGap&&) noexcept;
  MeshGap& operator=(MeshGap&&) noexcept;

  /// m; the true gap is no smaller. Open meshes have no inside.
  double at_least(const Vec3& point) const;
  /// m; the true gap is no larger, where the point lies outside of all but one part of a union.
  double at_most(const Vec3& point) const;

 private:
  struct Data;
  double mesh_gap(const Vec3& point) const;
  std::unique_ptr<const Data> data_;
};

}  // namespace repose::shape
