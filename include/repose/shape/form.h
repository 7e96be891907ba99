#pragma once

#include <variant>
#include <vector>

#include "repose/math/pose.h"
#include "repose/shape/curve.h"
#include "repose/shape/shape.h"

namespace repose::shape {

// What a whole shape is in one formula, body frame, metres.

/// (x/a)^2 + (y/b)^2 + (z/c)^2 <= 1.
struct EllipsoidForm {
  Vec3 semi_axes;
};
/// (|x/a|^p + |y/b|^p)^(q/p) + |z/c|^q <= 1 with p, q >= 2.
struct SuperellipsoidForm {
  Vec3 semi_axes;
  double p, q;
};
/// The convex hull of two circles about z: radius r0 at height z0, r1 at z1; one may be a point.
struct FrustumForm {
  double r0, r1, z0, z1;
};
/// All points within `radius` of the segment from z0 to z1 on the z axis.
struct CapsuleForm {
  double radius, z0, z1;
};
/// All points within `tube` of the circle of radius `ring` about z at height 0; tube < ring.
struct TorusForm {
  double ring, tube;
};
/// Every point lies within `radius` of the spine, and every surface point very nearly at it.
struct TubeForm {
  CurvePtr spine;
  double radius;
};

struct Form {
  std::variant<std::monostate, EllipsoidForm, SuperellipsoidForm, FrustumForm, CapsuleForm,
               TorusForm, TubeForm>
      is;
  /// The shape's surface and the form's lie within this of each other (its patches may be placed by
  /// rotations in doubles). Not promised for a tube.
  double error = 0.0;
};

/// A part of a union as it was before it was put in its place, where its formula shows.
struct PlacedPart {
  ShapePtr shape;      // bounding ball as wide as the union's
  Pose pose;           // body frame of the union from the part's own
  double error = 0.0;  // m: no point of the part is farther from where the pose puts it
};
/// The parts of a solid of several; those that were not put in their places by one rotation and
/// shift as they stand. Empty for any other shape.
std::vector<PlacedPart> parts_of_union(const Shape& shape);

/// The formula of a shape, read from the patches it is made of; std::monostate where there is none
/// or it is not known.
Form form_of(const Shape& shape);

}  // namespace repose::shape
