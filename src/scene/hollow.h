#pragma once

#include <array>
#include <vector>

#include "repose/shape/shape.h"

namespace repose {

/// What a container encloses: points from which the lines along two horizontal axes meet it on both
/// sides, and that lie in none of its closed bodies. Heights are measured along `up`.
class Hollow {
 public:
  explicit Hollow(const Vec3& up);
  /// Takes in a body of the container; curved ones as triangles to 1/500 of their size.
  void add(const shape::Shape& shape, const Pose& world_from_body);
  /// Call once after the last add.
  void finish();

  bool holds(const Vec3& point_world) const;
  /// m^3, summed over a lattice: exact for boxes along the two axes, else to about 1 %.
  double volume() const;
  /// Corners of a box that holds the container, in the frame whose z axis is `up`, m.
  const Vec3& low() const { return low_; }
  const Vec3& high() const { return high_; }
  bool empty() const { return triangles_.empty(); }

  Vec3 to_world(const Vec3& point) const { return rotation_ * point; }
  Vec3 from_world(const Vec3& point) const { return rotation_.conjugate() * point; }
  /// The point, or, above the container, the point of its opening below it (own frame).
  Vec3 into_opening(const Vec3& point) const;

 private:
  struct Triangle {
    std::array<Vec3, 3> corner;  // own frame
    bool closed;                 // of a closed body
  };
  struct Interval {
    double from, to;
  };
  /// What is free between the first and the last point at which the line through `point` along the
  /// axis (0 or 1) meets the container.
  void free_parts(int axis, const Vec3& point, std::vector<Interval>& out) const;
  bool holds_own(const Vec3& point) const;

  Quat rotation_;  // world from own frame
  std::vector<Triangle> triangles_;
  std::vector<std::vector<int>> slabs_;  // triangles by height
  Vec3 low_ = Vec3::Zero(), high_ = Vec3::Zero();
};

}  // namespace repose
