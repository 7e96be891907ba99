#pragma once

#include "repose/check/gap.h"
#include "repose/prove/convex.h"

#include "check/exact/rounding.h"

namespace repose::check {

/// The signed gap of two balls whose centres are `apart`: the point of one nearest to the other's
/// centre is the deepest in it.
double gap_of_balls(double apart, double radius_a, double radius_b);

/// Closed forms, rounding included. Each answers a closed bracket.
GapBracket ball_ball(const Vec3& center_a, double radius_a, const Vec3& center_b, double radius_b);
/// Endless ground (a) against a ball.
GapBracket ground_ball(const prove::Ground& ground, const Frame& frame, const Vec3& center,
                       double radius);

/// A ball of `radius` about `center` (world, a) and a torus (b): all points within `tube` of a
/// circle of radius `ring` about its z axis, up to `form_error`.
GapBracket ball_torus(const Vec3& center, double radius, const PlacedBody& torus, double ring,
                      double tube, double form_error);

}  // namespace repose::check
