#pragma once

#include "repose/math/interval.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"  // nothing here is called across a library's border

namespace repose {

/// Four numbers worked on at once, each rounded as it would be alone.
using Lanes = double __attribute__((vector_size(32)));

inline Lanes lanes(double x) {
  return Lanes{x, x, x, x};
}
inline Lanes least(const Lanes& a, const Lanes& b) {
  return b < a ? b : a;
}
inline Lanes largest(const Lanes& a, const Lanes& b) {
  return a < b ? b : a;
}
inline Lanes size_of(const Lanes& a) {
  return largest(a, -a);
}

/// Four intervals; every operation gives the bits that Interval gives one by one.
struct IntervalLanes {
  Lanes lo = Lanes{}, hi = Lanes{};

  IntervalLanes() = default;
  IntervalLanes(const Lanes& low, const Lanes& high) : lo(low), hi(high) {}

  Interval operator[](int k) const { return {lo[k], hi[k]}; }
};

inline IntervalLanes lanes(Interval x) {
  return {lanes(x.lo), lanes(x.hi)};
}

namespace detail {
inline IntervalLanes outward(const Lanes& lo, const Lanes& hi) {
  const Lanes low = lo - (size_of(lo) * kEps + kTiny), high = hi + (size_of(hi) * kEps + kTiny);
  const auto known = low <= high;
  return {known ? low : lanes(-kInf), known ? high : lanes(kInf)};
}
inline IntervalLanes corners(const Lanes& p, const Lanes& q, const Lanes& r, const Lanes& s) {
  const Lanes sum = p + q + r + s;
  const auto known = (sum - sum) == lanes(0.0);
  const IntervalLanes out =
      outward(least(least(p, q), least(r, s)), largest(largest(p, q), largest(r, s)));
  return {known ? out.lo : lanes(-kInf), known ? out.hi : lanes(kInf)};
}
}  // namespace detail

inline IntervalLanes operator-(const IntervalLanes& a) {
  return {-a.hi, -a.lo};
}
inline IntervalLanes operator+(const IntervalLanes& a, const IntervalLanes& b) {
  return detail::outward(a.lo + b.lo, a.hi + b.hi);
}
inline IntervalLanes operator-(const IntervalLanes& a, const IntervalLanes& b) {
  return detail::outward(a.lo - b.hi, a.hi - b.lo);
}
inline IntervalLanes operator*(const IntervalLanes& a, const IntervalLanes& b) {
  return detail::corners(a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi);
}
inline IntervalLanes operator/(const IntervalLanes& a, const IntervalLanes& b) {
  const IntervalLanes q = detail::corners(a.lo / b.lo, a.lo / b.hi, a.hi / b.lo, a.hi / b.hi);
  const auto holds_zero = (b.lo <= lanes(0.0)) & (b.hi >= lanes(0.0));
  return {holds_zero ? lanes(-detail::kInf) : q.lo, holds_zero ? lanes(detail::kInf) : q.hi};
}
inline IntervalLanes squared(const IntervalLanes& a) {
  const Lanes none = lanes(0.0);
  const Lanes low = a.lo > none ? a.lo : (a.hi < none ? -a.hi : none);
  const Lanes high = largest(size_of(a.lo), size_of(a.hi));
  const Lanes low2 = low * low, high2 = high * high;
  return {largest(none, low2 - (low2 * detail::kEps + detail::kTiny)),
          high2 + (high2 * detail::kEps + detail::kTiny)};
}
inline Lanes squared(const Lanes& a) {
  return a * a;
}

inline void set_lane(Lanes& a, int k, double x) {
  a[k] = x;
}
inline void set_lane(IntervalLanes& a, int k, Interval x) {
  a.lo[k] = x.lo;
  a.hi[k] = x.hi;
}

/// Four of T.
template <class T>
struct LanesOf;
template <>
struct LanesOf<double> {
  using Type = Lanes;
};
template <>
struct LanesOf<Interval> {
  using Type = IntervalLanes;
};

/// The array's numbers side by side; zero in lanes that it does not fill.
template <class T, std::size_t N>
typename LanesOf<T>::Type lanes(const std::array<T, N>& a) {
  typename LanesOf<T>::Type out{};
  for (std::size_t k = 0; k < N; ++k) set_lane(out, static_cast<int>(k), a[k]);
  return out;
}

/// Lanes i, j, k, l of a.
template <int i, int j, int k, int l>
Lanes pick(const Lanes& a) {
  return __builtin_shufflevector(a, a, i, j, k, l);
}
template <int i, int j, int k, int l>
IntervalLanes pick(const IntervalLanes& a) {
  return {pick<i, j, k, l>(a.lo), pick<i, j, k, l>(a.hi)};
}
/// Lane k of b, the others of a.
template <int k>
Lanes with_lane(const Lanes& a, const Lanes& b) {
  return __builtin_shufflevector(a, b, k == 0 ? 4 : 0, k == 1 ? 5 : 1, k == 2 ? 6 : 2,
                                 k == 3 ? 7 : 3);
}
template <int k>
IntervalLanes with_lane(const IntervalLanes& a, const IntervalLanes& b) {
  return {with_lane<k>(a.lo, b.lo), with_lane<k>(a.hi, b.hi)};
}

}  // namespace repose

#pragma GCC diagnostic pop
