#pragma once

#include <memory>

#include "repose/shape/shape.h"

namespace repose::shape {

/// Where a point lies: its signed distance to the surface (negative inside), m, as far as double
/// precision tells; of a union, the least over its parts (inside, then, only its sign is exact).
double signed_gap(const Shape& shape, const Vec3& point);

/// The point lies in the solid. Surface points may answer either way. Open meshes, sphere sets and
/// point sets: within a ball, or never.
inline bool inside(const Shape& shape, const Vec3& point) {
  return signed_gap(shape, point) < 0.0;
}

/// The same for many points: holds prepared search trees.
class InsideTest {
 public:
  explicit InsideTest(const Shape& shape);
  ~InsideTest();
  InsideTest(InsideTest&&) noexcept;
  InsideTest& operator=(InsideTest&&) noexcept;

  double signed_gap(const Vec3& point) const;
  bool inside(const Vec3& point) const { return signed_gap(point) < 0.0; }

 private:
  struct Data;
  std::unique_ptr<const Data> data_;
};

}  // namespace repose::shape
