#pragma once

#include "check/exact/rounding.h"
#include "check/gap/convex_body.h"
#include "check/gap/gjk_loop.h"

namespace repose::check {

/// Two convex bodies in the frame of the first.
struct ConvexPair {
  const ConvexBody& a;
  const ConvexBody& b;
  Frame frame;          // b in a
  double error = 0.0;   // of one separating plane: supports, frame, sums; m
  double shrink = 0.0;  // both cores are drawn in towards their centres by this fraction

  ConvexPair(const ConvexBody& first, const ConvexBody& second, const Frame& b_in_a);

  /// Points of the cores farthest towards each other along d (from a to b), frame of a.
  Vec3 farthest_a(const Vec3& d) const { return drawn_in(a, a.farthest(d)); }
  Vec3 farthest_b(const Vec3& d) const {
    return frame * drawn_in(b, b.farthest(-(frame.turn.transpose() * d)));
  }
  /// A proven lower bound of the signed gap of the bodies (skins and rounding included) by the
  /// plane square to d, whose length is one to rounding. Requires: shrink is 0.
  double plane_bound(const Vec3& d) const;

 private:
  Vec3 drawn_in(const ConvexBody& body, const Vec3& p) const {
    return shrink == 0.0 ? p : Vec3(p + shrink * (body.center() - p));
  }
};

/// The distance of the two cores, frame of a; b is moved by `shift` first. Stops at
/// upper - lower <= width or lower >= enough.
CoreDistance core_distance(const ConvexPair& pair, const Vec3& shift, double width, double enough);

}  // namespace repose::check
