#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "repose/math/interval.h"

namespace repose::prove {

/// An interval of long doubles, for where doubles are too coarse: small bodies beside large ones.
/// Every bound is pushed outward by at least one unit in the last place, and what is no number is
/// anything, as of Interval.
struct Fine {
  long double lo = 0.0L, hi = 0.0L;

  Fine() = default;
  Fine(double point) : lo(point), hi(point) {}  // NOLINT: a number is an interval
  Fine(long double low, long double high) : lo(low), hi(high) {}

  static constexpr long double kInf = std::numeric_limits<long double>::infinity();
  static Fine outward(long double low, long double high, long double ulps = 1.0L) {
    constexpr long double kEps = std::numeric_limits<long double>::epsilon();
    constexpr long double kTiny = detail::kTiny;
    const long double l = low - (ulps * kEps * std::fabs(low) + kTiny);
    const long double h = high + (ulps * kEps * std::fabs(high) + kTiny);
    return l <= h ? Fine{l, h} : Fine{-kInf, kInf};
  }
};

inline Fine operator-(const Fine& a) {
  return {-a.hi, -a.lo};
}
inline Fine operator+(const Fine& a, const Fine& b) {
  return Fine::outward(a.lo + b.lo, a.hi + b.hi);
}
inline Fine operator-(const Fine& a, const Fine& b) {
  return Fine::outward(a.lo - b.hi, a.hi - b.lo);
}
inline Fine operator*(const Fine& a, const Fine& b) {
  const long double p = a.lo * b.lo, q = a.lo * b.hi, r = a.hi * b.lo, s = a.hi * b.hi;
  if (!std::isfinite(p + q + r + s)) return {-Fine::kInf, Fine::kInf};
  return Fine::outward(std::min({p, q, r, s}), std::max({p, q, r, s}));
}
inline Fine operator/(const Fine& a, const Fine& b) {
  if (!(b.lo > 0.0L) && !(b.hi < 0.0L)) return {-Fine::kInf, Fine::kInf};
  const long double p = a.lo / b.lo, q = a.lo / b.hi, r = a.hi / b.lo, s = a.hi / b.hi;
  if (!std::isfinite(p + q + r + s)) return {-Fine::kInf, Fine::kInf};
  return Fine::outward(std::min({p, q, r, s}), std::max({p, q, r, s}));
}
inline Fine abs(const Fine& a) {
  const long double low = a.lo > 0.0L ? a.lo : a.hi < 0.0L ? -a.hi : 0.0L;
  return {low, std::max(std::fabs(a.lo), std::fabs(a.hi))};
}
inline Fine square(const Fine& a) {
  const Fine size = abs(a), out = Fine::outward(size.lo * size.lo, size.hi * size.hi);
  return {std::max(0.0L, out.lo), out.hi};
}
/// Of the non-negative part.
inline Fine sqrt(const Fine& a) {
  const Fine out = Fine::outward(a.lo > 0.0L ? std::sqrt(a.lo) : 0.0L,  //
                                 a.hi > 0.0L ? std::sqrt(a.hi) : 0.0L);
  return {std::max(0.0L, out.lo), out.hi};
}
/// |a|^p for p >= 0; trusts the C library as pow_abs of Interval does.
inline Fine pow_abs(const Fine& a, double p) {
  constexpr long double kLibraryUlps = 4.0L;
  const Fine size = abs(a);
  const long double e = p;
  const Fine out = Fine::outward(std::pow(size.lo, e), std::pow(size.hi, e), kLibraryUlps);
  return {std::max(0.0L, out.lo), out.hi};
}

/// The doubles next to an interval's ends, outside.
inline double lower_double(const Interval& a) {
  return a.lo;
}
inline double upper_double(const Interval& a) {
  return a.hi;
}
inline double lower_double(const Fine& a) {
  const double d = static_cast<double>(a.lo);
  return static_cast<long double>(d) <= a.lo ? d : std::nextafter(d, -detail::kInf);
}
inline double upper_double(const Fine& a) {
  const double d = static_cast<double>(a.hi);
  return static_cast<long double>(d) >= a.hi ? d : std::nextafter(d, detail::kInf);
}

}  // namespace repose::prove
