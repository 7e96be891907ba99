#pragma once

#include "repose/rigid/pairs.h"

namespace repose::rigid {

/// The gap before the plane of a turning solid is not linear in time. With its second derivative
/// bounded it stays above zero all the same if it is large enough at the ends.

/// Where a solid is at a step's start and at its end.
struct Turn {
  const Rigid& rigid;
  const RigidMotion &from, &to;
};

/// A ball that goes straight before a plane of a piece of a solid.
struct BallBefore {
  Vec3 from = Vec3::Zero(), to = Vec3::Zero();  // centres, m
  double radius = 0.0;                          // m
  Vec3 normal = Vec3::UnitZ();                  // unit, of the plane at the step's start, world
  double gap = 0.0;                             // m, at the step's start
};
bool ball_stays_apart(const BallBefore& ball, const Turn& solid, double h);

/// All of a convex piece before the plane of another.
bool pair_stays_apart(const RigidPair& pair, const Turn& upper, const Turn& lower, double h);

}  // namespace repose::rigid
