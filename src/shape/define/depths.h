#pragma once

#include <memory>
#include <vector>

#include "repose/shape/inside.h"

#include "shape/enclose/triangle_tree.h"

namespace repose::shape {

/// Signed gaps of many points for sampling a shape: as InsideTest says, but of a union of several
/// parts by their triangles, which is much faster and off by their chord error.
class Depths {
 public:
  explicit Depths(const Shape& shape);
  double signed_gap(const Vec3& point) const { return look(point).gap; }

  struct Look {
    double gap = 0.0;            // m, signed
    Vec3 uphill = Vec3::Zero();  // unit, where the gap grows; zero where it is not known
  };
  /// The gap and where it grows, which the nearest triangle tells at once.
  Look look(const Vec3& point) const;

 private:
  struct Part {
    std::unique_ptr<const TriangleTree> tree;  // of a mesh, or
    std::unique_ptr<const InsideTest> test;
    Vec3 low, high;  // m; of the box about it

    Look look(const Vec3& point) const;
  };
  void add_mesh(const std::vector<Vec3>& points, const std::vector<std::array<int, 3>>& triangles);

  std::vector<Part> parts_;
};

}  // namespace repose::shape
