#pragma once

#include <Eigen/Geometry>

#include "repose/base/random.h"
#include "repose/math/vec.h"

namespace repose {

using Quat = Eigen::Quaterniond;  // stored x, y, z, w by Eigen; named fields say their own order

/// A rigid placement: point_world = rotation * point_body + position. `rotation` is unit length.
struct Pose {
  Vec3 position = Vec3::Zero();
  Quat rotation = Quat::Identity();

  Vec3 operator*(const Vec3& point) const { return rotation * point + position; }
  Pose operator*(const Pose& inner) const {
    return {*this * inner.position, (rotation * inner.rotation).normalized()};
  }
  Pose inverse() const {
    const Quat back = rotation.conjugate();
    return {back * -position, back};
  }
  /// A direction or a free vector: turned, not moved.
  Vec3 turn(const Vec3& direction) const { return rotation * direction; }
};

/// The shortest rotation that takes the direction of `from` to that of `to`; any length but 0.
Quat rotation_between(const Vec3& from, const Vec3& to);
/// The rotation by |w| radians about w.
Quat rotation_from_vector(const Vec3& w);
/// The rotation vector of q, angle in [0, pi]. Inverse of rotation_from_vector.
Vec3 vector_from_rotation(const Quat& q);
/// A rotation drawn uniformly from all rotations.
Quat random_rotation(Random& random);
/// A unit vector drawn uniformly from all directions.
Vec3 random_direction(Random& random);

}  // namespace repose
