#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "repose/math/vec.h"

namespace repose {

/// A closed interval that encloses the true result of every operation, rounding included: each
/// bound is pushed outward by at least one unit in the last place.
struct Interval {
  double lo = 0.0;
  double hi = 0.0;

  Interval() = default;
  Interval(double point) : lo(point), hi(point) {}  // NOLINT: a number is an interval
  Interval(double low, double high) : lo(low), hi(high) {}

  double mid() const { return lo + 0.5 * (hi - lo); }
  double width() const { return hi - lo; }
  /// The largest absolute value inside.
  double mag() const { return std::max(std::fabs(lo), std::fabs(hi)); }
  /// The smallest absolute value inside.
  double mig() const { return lo > 0.0 ? lo : hi < 0.0 ? -hi : 0.0; }
  bool contains(double x) const { return lo <= x && x <= hi; }
};

namespace detail {
inline constexpr double kEps = std::numeric_limits<double>::epsilon();
/// Covers underflow. Far above the least double: neither it nor its square is subnormal, on which
/// processors are a hundred times slower.
inline constexpr double kTiny = 1e-140;
/// At least one unit in the last place below / above x.
inline double below(double x) {
  return x - (std::fabs(x) * kEps + kTiny);
}
inline double above(double x) {
  return x + (std::fabs(x) * kEps + kTiny);
}
inline constexpr double kInf = std::numeric_limits<double>::infinity();
/// Bounds that overflowed to a NaN tell nothing: everything is enclosed then.
inline Interval outward(double lo, double hi) {
  const double low = below(lo), high = above(hi);
  return low <= high ? Interval{low, high} : Interval{-kInf, kInf};
}
/// The hull of four corner values; any that is not finite makes it everything.
inline Interval corners(double p, double q, double r, double s) {
  if (!std::isfinite(p + q + r + s)) return {-kInf, kInf};
  return outward(std::min(std::min(p, q), std::min(r, s)),
                 std::max(std::max(p, q), std::max(r, s)));
}
}  // namespace detail

inline Interval operator-(Interval a) {
  return {-a.hi, -a.lo};
}
inline Interval operator+(Interval a, Interval b) {
  return detail::outward(a.lo + b.lo, a.hi + b.hi);
}
inline Interval operator-(Interval a, Interval b) {
  return detail::outward(a.lo - b.hi, a.hi - b.lo);
}
inline Interval operator*(Interval a, Interval b) {
  return detail::corners(a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi);
}
/// Division by an interval that holds zero encloses everything.
inline Interval operator/(Interval a, Interval b) {
  if (b.lo <= 0.0 && b.hi >= 0.0) return {-detail::kInf, detail::kInf};
  return detail::corners(a.lo / b.lo, a.lo / b.hi, a.hi / b.lo, a.hi / b.hi);
}
inline Interval& operator+=(Interval& a, Interval b) {
  return a = a + b;
}
inline Interval& operator-=(Interval& a, Interval b) {
  return a = a - b;
}
inline Interval& operator*=(Interval& a, Interval b) {
  return a = a * b;
}

inline Interval hull(Interval a, Interval b) {
  return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
}
inline Interval square(Interval a) {
  const double low = a.mig(), high = a.mag();
  return {std::max(0.0, detail::below(low * low)), detail::above(high * high)};
}
/// Of the non-negative part; an interval wholly below zero gives [0, 0].
inline Interval sqrt(Interval a) {
  return {a.lo > 0.0 ? std::max(0.0, detail::below(std::sqrt(a.lo))) : 0.0,
          a.hi > 0.0 ? detail::above(std::sqrt(a.hi)) : 0.0};
}
inline Interval abs(Interval a) {
  return {a.mig(), a.mag()};
}
/// What both hold. Requires: they meet (two enclosures of one number always do).
inline Interval meet(Interval a, Interval b) {
  return {std::max(a.lo, b.lo), std::min(a.hi, b.hi)};
}

// The functions below trust the C library to be within 2 units in the last place (glibc promises
// less than 1 for all of them) and push each bound outward by four.
Interval sin(Interval a);
Interval cos(Interval a);
/// Everything where the interval meets a pole.
Interval tan(Interval a);
/// Of the part inside [-1, 1].
Interval asin(Interval a);
Interval acos(Interval a);
Interval atan(Interval a);
/// The angle of (x, y) in [-pi, pi]; the whole circle where the box meets the negative x axis.
Interval atan2(Interval y, Interval x);
Interval sinh(Interval a);
Interval cosh(Interval a);
Interval tanh(Interval a);
Interval exp(Interval a);
/// Of the positive part; from minus infinity where the interval reaches zero.
Interval log(Interval a);
/// |a|^p for real p >= 0.
Interval pow_abs(Interval a, double p);
/// a^p for any real p of the part of a that is not below zero; everything where there is none, or
/// where a reaches zero and p is negative.
Interval pow(Interval a, double p);
/// a^(p - less) likewise, the difference not rounded.
Interval pow(Interval a, double p, double less);
/// a^n for any sign of a.
Interval pow_int(Interval a, int n);

/// A box in space.
using IVec3 = std::array<Interval, 3>;

}  // namespace repose
