#pragma once

#include "convex.h"

namespace repose::pile {

/// A point of the difference b - a with the two points it comes from.
struct Corner {
  Vec3 difference, on_a, on_b;
};

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
