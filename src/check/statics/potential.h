#pragma once

#include <vector>

#include "repose/check/balance.h"

namespace repose::check {

/// A finite motion of one body: of its centre of mass, and a rotation vector about it. World axes.
struct SmallMotion {
  Vec3 move = Vec3::Zero();  // m
  Vec3 turn = Vec3::Zero();  // rad
};

/// Where a point of the body goes; `arm` is the way to it from the centre of mass. Computed from
/// differences alone, so that it is as sharp far from the world's origin as at it.
Vec3 way_of(const SmallMotion& motion, const Vec3& arm);

/// U - sum R phi after a motion (one for every body of the input, of fixed ones none), J: the
/// energy of weights, loads and ties, less what the joints' reactions do where the motion leaves
/// the joints by phi. To second order the energy along the motion that keeps to the joints, as far
/// as they hold at first order.
double energy_after(const Input& input, const Balance& balance,
                    const std::vector<SmallMotion>& motions);

/// N: the weight of the movable bodies; where nothing weighs, the sum of the loads on them.
double whole_load(const Input& input);

}  // namespace repose::check
