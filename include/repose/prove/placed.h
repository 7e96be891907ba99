#pragma once

#include "repose/math/exact.h"
#include "repose/math/interval.h"
#include "repose/math/pose.h"

namespace repose::prove {

/// A point in doubles and how far it may be from where it truly is.
struct Placed {
  Vec3 at;
  double error;  // m
};

/// Where a body's points are in the world, seen from `origin`. The rotation stands for its exact
/// normalisation; products and sums are intervals, so that the error follows a point's distance
/// from the body's own origin as well as the body's from the world's. Where the two cancel, the
/// point is placed without rounding up to the last step.
class Placing {
 public:
  explicit Placing(const Pose& world_from_body, const Vec3& origin = Vec3::Zero());

  IVec3 enclose(const Vec3& point_body) const;
  /// A direction of the body, world axes.
  IVec3 turn(const Vec3& vector_body) const;
  /// A direction of the world, body axes.
  IVec3 turn_back(const IVec3& vector_world) const;
  /// The middle of the box that holds the point.
  Placed operator*(const Vec3& point_body) const;

 private:
  IVec3 enclose_exactly(const Vec3& point_body) const;

  Pose pose_;
  Vec3 origin_;
  std::array<IVec3, 3> rows_;
};

}  // namespace repose::prove
