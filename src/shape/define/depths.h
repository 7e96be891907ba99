#pragma once

#include <vector>

#include "repose/shape/inside.h"

namespace repose::shape {

/// Signed gaps of many points for sampling a shape: as InsideTest says, but of a union of several
/// parts by their triangles, which is much faster and off by their chord error.
class Depths {
 public:
  explicit Depths(const Shape& shape);
  double signed_gap(const Vec3& point) const;

 private:
  struct Part {
    InsideTest test;
    Vec3 low, high;  // m; of the box about it
  };
  std::vector<ShapePtr> meshes_;
  std::vector<Part> parts_;
};

}  // namespace repose::shape
