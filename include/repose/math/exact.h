#pragma once

#include <vector>

#include "repose/math/vec.h"

namespace repose {

/// A number as an unevaluated sum of doubles that do not overlap, smallest first: sums, differences
/// and products of doubles without rounding (Shewchuk 1997, Adaptive precision floating-point
/// arithmetic). Exact as long as no product leaves the range of doubles; `sure` says whether.
class Exact {
 public:
  Exact() = default;
  Exact(double value);  // NOLINT: doubles are exact numbers

  /// -1, 0 or 1. Right where sure().
  int sign() const;
  /// Within a few ulp of the value.
  double rounded() const;
  bool sure() const { return sure_; }

  Exact operator-() const;
  friend Exact operator+(const Exact& a, const Exact& b);
  friend Exact operator-(const Exact& a, const Exact& b) { return a + -b; }
  friend Exact operator*(const Exact& a, const Exact& b);
  friend bool operator==(const Exact& a, const Exact& b) { return (a - b).sign() == 0; }

 private:
  void grow(double value);
  void compress();

  std::vector<double> terms_;
  bool sure_ = true;
};

// The signs below are exact where coordinates are 0 or between 1e-60 and 1e60 in magnitude.

/// On which side of the line from a to b the point c lies: 1 left, -1 right, 0 on it.
int orient2d(const Vec2& a, const Vec2& b, const Vec2& c);
/// On which side of the plane through a, b, c the point d lies: 1 where a, b, c turn
/// counter-clockwise as seen from d, -1 beyond, 0 on it.
int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);
/// The sign of d.((a - p) x (b - p)).
int orient_about(const Vec3& p, const Vec3& d, const Vec3& a, const Vec3& b);

}  // namespace repose
