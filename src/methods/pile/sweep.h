#pragma once

#include "convex.h"

namespace repose::pile {

/// A body's way through a step: its origin goes straight, its rotation turns evenly. This is also
/// how frames are drawn between two recorded ones.
struct Way {
  Pose from;
  Vec3 shift = Vec3::Zero();  // m, of the origin
  Vec3 turn = Vec3::Zero();   // rotation vector, rad, world axes

  Pose at(double share) const;
  Pose end() const { return at(1.0); }
};
Way way_between(const Pose& from, const Pose& to);

/// True if it is proven that two sets stay at least `least` (m, >= 0) apart all along their ways.
/// The proof is a chain of planes over parts of the way: from the plane across the nearest points
/// at one end of a part to that at the other, with a bound on how far any point's height above the
/// moving plane can leave its chord. `normal` (unit, from a to b) separates the two at the start.
bool stay_apart(const Convex& a, const Way& way_a, const Convex& b, const Way& way_b,
                const Vec3& normal, double least);

/// The same for a set above the plane through `origin` across `normal`.
bool stays_above(const Vec3& origin, const Vec3& normal, const Convex& b, const Way& way_b,
                 double least);

}  // namespace repose::pile
