#pragma once

#include <cmath>
#include <limits>

#include "repose/check/input.h"
#include "repose/prove/around.h"

namespace repose::check {

/// Unit roundoff, doubled: one operation changes its result by at most this fraction.
inline constexpr double kUlp = std::numeric_limits<double>::epsilon();
/// A rotation matrix made in doubles from a quaternion differs from the exact rotation by at most
/// this in operator norm: normalising costs 4 ulp a component, the nine products 6 ulp each, and
/// the Frobenius norm of the error bounds the rest. Composing two doubles it.
inline constexpr double kTurnError = 64.0 * kUlp;
/// A sum of a few products of lengths (dot product, norm, triple difference) is off by at most this
/// fraction of the sum of the magnitudes that entered it.
inline constexpr double kSumError = 16.0 * kUlp;

/// The same fractions of numbers finer than doubles.
template <class Real>
inline constexpr Real kFiner = std::numeric_limits<Real>::epsilon() / Real(kUlp);

/// Rotation and translation in doubles, or finer, and how far a point they move may be from its
/// true place.
template <class Real>
struct FrameOf {
  using Vec = Eigen::Matrix<Real, 3, 1>;
  using Mat = Eigen::Matrix<Real, 3, 3>;

  Mat turn = Mat::Identity();
  Vec shift = Vec::Zero();
  Real turn_error = 0.0;   // times |x|, m
  Real shift_error = 0.0;  // m

  Vec operator*(const Vec& x) const { return turn * x + shift; }
  /// Bound on |computed - true| of a point at distance `radius` from the frame's origin.
  Real error(Real radius) const {
    return turn_error * radius + shift_error + kFiner<Real> * kSumError * (radius + shift.norm());
  }
};
using Frame = FrameOf<double>;

Frame world_frame(const PlacedBody& item);
/// The frame of b seen from a: point_a = relative_frame(a, b) * point_b.
Frame relative_frame(const PlacedBody& a, const PlacedBody& b);
/// The same without the rounding of doubles.
FrameOf<long double> fine_relative_frame(const PlacedBody& a, const PlacedBody& b);

struct BoundingBall {
  Vec3 center;
  double radius;  // infinite for endless ground
};
BoundingBall bounding_ball_world(const PlacedBody& item);
/// The same with outward rounding; not of endless ground.
prove::Around surroundings(const PlacedBody& item);
bool is_plane(const PlacedBody& item);
/// From the middle of a's ball to that of b's; bodies of the plane meet whatever their heights.
Vec3 between_middles(const PlacedBody& a, const BoundingBall& ball_a, const PlacedBody& b,
                     const BoundingBall& ball_b);

/// A joint lets the two pass one another.
bool joined(const PlacedBody& a, const PlacedBody& b);
/// The two never meet whatever their places: one does not collide, a joint lets them pass, or their
/// layers differ.
bool never_meet(const PlacedBody& a, const PlacedBody& b);
/// The size that relative tolerances of the pair refer to.
double pair_size(const PlacedBody& a, const PlacedBody& b);

}  // namespace repose::check
