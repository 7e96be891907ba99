#pragma once

#include "convex.h"

namespace repose::pile {

/// A point of the difference b - a with the two points it comes from.
struct Corner {
  Vec3 difference, on_a, on_b;
};

/// A set where it stands, for many looks at it.
struct Placed {
  Placed(const Convex& of, const Pose& world_from_set)
      : set(of), turn(world_from_set.rotation.toRotationMatrix()), at(world_from_set.position) {}
  /// The point farthest along `direction` (world), world.
  Vec3 support(const Vec3& direction) const {
    return turn * set.support(turn.transpose() * direction) + at;
  }

  const Convex& set;
  Mat3 turn;
  Vec3 at;
};

inline Corner corner_of(const Placed& a, const Placed& b, const Vec3& direction) {
  Corner out;
  out.on_a = a.support(direction);
  out.on_b = b.support(-direction);
  out.difference = out.on_b - out.on_a;
  return out;
}

inline Corner corner_of(const Convex& a, const Pose& pose_a, const Convex& b, const Pose& pose_b,
                        const Vec3& direction) {
  // farthest of b - a against `direction`: a's support along it, b's against it
  Corner out;
  out.on_a = pose_a * a.support(pose_a.rotation.conjugate() * direction);
  out.on_b = pose_b * b.support(pose_b.rotation.conjugate() * Vec3(-direction));
  out.difference = out.on_b - out.on_a;
  return out;
}

/// The second derivative of a set's support function along `direction` (unit), in the world.
inline Mat3 bend_of(const Convex& set, const Pose& pose, const Vec3& direction) {
  const Mat3 turn = pose.rotation.toRotationMatrix();
  return turn * set.bend(turn.transpose() * direction) * turn.transpose();
}

}  // namespace repose::pile
