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
inline constexpr double kTiny = std::numeric_limits<double>::min();
/// At least one unit in the last place below / above x.
inline double below(double x) {
  return x - (std::fabs(x) * kEps + kTiny);
}
inline double above(double x) {
  return x + (std::fabs(x) * kEps + kTiny);
}
inline Interval outward(double lo, double hi) {
  return {below(lo), above(hi)};
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
  const double p = a.lo * b.lo, q = a.lo * b.hi, r = a.hi * b.lo, s = a.hi * b.hi;
  return detail::outward(std::min(std::min(p, q), std::min(r, s)),
                         std::max(std::max(p, q), std::max(r, s)));
}
/// Division by an interval that holds zero encloses everything.
inline Interval operator/(Interval a, Interval b) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  if (b.lo <= 0.0 && b.hi >= 0.0) return {-kInf, kInf};
  const double p = a.lo / b.lo, q = a.lo / b.hi, r = a.hi / b.lo, s = a.hi / b.hi;
  return detail::outward(std::min(std::min(p, q), std::min(r, s)),
                         std::max(std::max(p, q), std::max(r, s)));
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
Interval sin(Interval a);
Interval cos(Interval a);
Interval exp(Interval a);
Interval log(Interval a);
/// |a|^p for real p >= 0.
Interval pow_abs(Interval a, double p);

/// A box in space.
using IVec3 = std::array<Interval, 3>;

}  // namespace repose
