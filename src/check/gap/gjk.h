#pragma once

#include <algorithm>
#include <type_traits>

#include "check/exact/rounding.h"
#include "check/gap/convex_body.h"
#include "check/gap/gjk_loop.h"

namespace repose::check {

/// Two convex bodies in the frame of the first; in doubles, or in numbers finer than these.
template <class Real>
struct ConvexPairOf {
  using Vec3 = VecOf<Real>;

  const ConvexBody& a;
  const ConvexBody& b;
  FrameOf<Real> frame;  // b in a
  Real error = 0.0;     // of one separating plane: supports, frame, sums; m
  Real shrink = 0.0;    // both cores are drawn in towards their centres by this fraction

  ConvexPairOf(const ConvexBody& first, const ConvexBody& second, const FrameOf<Real>& b_in_a);

  /// Points of the cores farthest towards each other along d (from a to b), frame of a.
  Vec3 farthest_a(const Vec3& d) const { return drawn_in(a, a.farthest_of<Real>(d)); }
  Vec3 farthest_b(const Vec3& d) const {
    return frame * drawn_in(b, b.farthest_of<Real>(-(frame.turn.transpose() * d)));
  }
  /// A proven lower bound of the signed gap of the bodies (skins and rounding included) by the
  /// plane square to d, whose length is one to rounding. Requires: shrink is 0.
  Real plane_bound(const Vec3& d) const;

 private:
  /// Finer numbers are for bodies of very different size: the larger is drawn in as far as the
  /// smaller one, not as much of its own size.
  Vec3 drawn_in(const ConvexBody& body, const Vec3& p) const {
    if (shrink == 0.0) return p;
    if constexpr (std::is_same_v<Real, double>)
      return p + shrink * (body.center() - p);
    else
      return p + shrink * std::min<Real>(a.reach(), b.reach()) / Real(body.reach()) *
                     (body.center().cast<Real>() - p);
  }
};

using ConvexPair = ConvexPairOf<double>;

/// The distance of the two cores, frame of a; b is moved by `shift` first. Stops at
/// upper - lower <= width or lower >= enough.
template <class Real>
CoreDistanceOf<Real> core_distance(const ConvexPairOf<Real>& pair, const VecOf<Real>& shift,
                                   Real width, Real enough);

}  // namespace repose::check
