#pragma once

#include <cmath>

#include "repose/math/interval.h"

namespace repose {

/// A function of two variables u, v at a point (T = double) or over a box (T = Interval): its value
/// and its first and second partial derivatives. Arithmetic on jets carries them exactly.
template <class T>
struct Jet2 {
  T f{}, u{}, v{}, uu{}, uv{}, vv{};

  Jet2() = default;
  Jet2(T constant) : f(constant) {}  // NOLINT: a number is a constant function
  Jet2(T f_, T u_, T v_, T uu_, T uv_, T vv_) : f(f_), u(u_), v(v_), uu(uu_), uv(uv_), vv(vv_) {}

  static Jet2 variable_u(T at) { return {at, T(1.0), T(0.0), T(0.0), T(0.0), T(0.0)}; }
  static Jet2 variable_v(T at) { return {at, T(0.0), T(1.0), T(0.0), T(0.0), T(0.0)}; }
};

namespace detail {

inline double squared(double x) {
  return x * x;
}
inline Interval squared(Interval x) {
  return square(x);
}
/// x^(p - less); a base below zero counts as zero, as it does for intervals.
inline double power(double x, double p, double less = 0.0) {
  return std::pow(std::max(x, 0.0), p - less);
}
inline Interval power(Interval x, double p, double less = 0.0) {
  return pow(x, p, less);
}
inline double power_int(double x, int n) {
  return std::pow(x, n);
}
inline Interval power_int(Interval x, int n) {
  return pow_int(x, n);
}

inline bool holds_none_above_zero(double) {
  return false;
}
inline bool holds_none_above_zero(Interval x) {
  return !(x.hi > 0.0);
}
/// The angle of (x, y) has no derivative there: it jumps by a whole turn.
inline bool angle_may_jump(double, double) {
  return false;
}
inline bool angle_may_jump(Interval y, Interval x) {
  return !(x.lo > 0.0) && !(y.lo > 0.0) && !(y.hi < 0.0);
}
inline Jet2<double> without_derivatives(double) {
  return {};
}
inline Jet2<Interval> without_derivatives(Interval value) {
  const Interval all(-kInf, kInf);
  return {value, all, all, all, all, all};
}

/// g(a) given g, g' and g'' at a.f.
template <class T>
Jet2<T> chain(T g, T g1, T g2, const Jet2<T>& a) {
  return {g,
          g1 * a.u,
          g1 * a.v,
          g2 * squared(a.u) + g1 * a.uu,
          g2 * a.u * a.v + g1 * a.uv,
          g2 * squared(a.v) + g1 * a.vv};
}

}  // namespace detail

template <class T>
Jet2<T> operator-(const Jet2<T>& a) {
  return {-a.f, -a.u, -a.v, -a.uu, -a.uv, -a.vv};
}
template <class T>
Jet2<T> operator+(const Jet2<T>& a, const Jet2<T>& b) {
  return {a.f + b.f, a.u + b.u, a.v + b.v, a.uu + b.uu, a.uv + b.uv, a.vv + b.vv};
}
template <class T>
Jet2<T> operator-(const Jet2<T>& a, const Jet2<T>& b) {
  return {a.f - b.f, a.u - b.u, a.v - b.v, a.uu - b.uu, a.uv - b.uv, a.vv - b.vv};
}
template <class T>
Jet2<T> operator*(const Jet2<T>& a, const Jet2<T>& b) {
  return {a.f * b.f,
          a.u * b.f + a.f * b.u,
          a.v * b.f + a.f * b.v,
          a.uu * b.f + T(2.0) * (a.u * b.u) + a.f * b.uu,
          a.uv * b.f + a.u * b.v + a.v * b.u + a.f * b.uv,
          a.vv * b.f + T(2.0) * (a.v * b.v) + a.f * b.vv};
}
template <class T>
Jet2<T> operator*(const T& a, const Jet2<T>& b) {
  return {a * b.f, a * b.u, a * b.v, a * b.uu, a * b.uv, a * b.vv};
}
/// The quotient rule; the value is divided once, so that it rounds as a plain division.
template <class T>
Jet2<T> operator/(const Jet2<T>& a, const Jet2<T>& b) {
  Jet2<T> q;
  q.f = a.f / b.f;
  q.u = (a.u - q.f * b.u) / b.f;
  q.v = (a.v - q.f * b.v) / b.f;
  q.uu = (a.uu - T(2.0) * (q.u * b.u) - q.f * b.uu) / b.f;
  q.uv = (a.uv - q.u * b.v - q.v * b.u - q.f * b.uv) / b.f;
  q.vv = (a.vv - T(2.0) * (q.v * b.v) - q.f * b.vv) / b.f;
  return q;
}

template <class T>
Jet2<T> square(const Jet2<T>& a) {
  return detail::chain(detail::squared(a.f), T(2.0) * a.f, T(2.0), a);
}
template <class T>
Jet2<T> sqrt(const Jet2<T>& a) {
  using std::sqrt;
  const T r = sqrt(a.f);
  const T first = T(0.5) / r;
  return detail::chain(r, first, T(-0.5) * first / a.f, a);
}
template <class T>
Jet2<T> sin(const Jet2<T>& a) {
  using std::cos;
  using std::sin;
  const T s = sin(a.f);
  return detail::chain(s, cos(a.f), -s, a);
}
template <class T>
Jet2<T> cos(const Jet2<T>& a) {
  using std::cos;
  using std::sin;
  const T c = cos(a.f);
  return detail::chain(c, -sin(a.f), -c, a);
}
template <class T>
Jet2<T> tan(const Jet2<T>& a) {
  using std::tan;
  const T t = tan(a.f);
  const T first = T(1.0) + detail::squared(t);
  return detail::chain(t, first, T(2.0) * t * first, a);
}
template <class T>
Jet2<T> asin(const Jet2<T>& a) {
  using std::asin;
  using std::sqrt;
  const T left = T(1.0) - detail::squared(a.f);
  const T first = T(1.0) / sqrt(left);
  return detail::chain(asin(a.f), first, a.f * first / left, a);
}
template <class T>
Jet2<T> acos(const Jet2<T>& a) {
  using std::acos;
  Jet2<T> out = -asin(a);
  out.f = acos(a.f);
  return out;
}
template <class T>
Jet2<T> atan(const Jet2<T>& a) {
  using std::atan;
  const T first = T(1.0) / (T(1.0) + detail::squared(a.f));
  return detail::chain(atan(a.f), first, T(-2.0) * a.f * detail::squared(first), a);
}
/// The angle of (x, y). Where a box meets the negative x axis its derivatives are anything: even
/// what is made of the angle without a jump may have a kink there.
template <class T>
Jet2<T> atan2(const Jet2<T>& y, const Jet2<T>& x) {
  using std::atan2;
  if (detail::angle_may_jump(y.f, x.f)) return detail::without_derivatives(atan2(y.f, x.f));
  const T r2 = detail::squared(x.f) + detail::squared(y.f);
  const T gx = -y.f / r2, gy = x.f / r2;
  const T gxx = T(-2.0) * gx * gy, gxy = detail::squared(gx) - detail::squared(gy);
  // second derivatives of the angle: xx = 2xy/r^4, xy = (y^2 - x^2)/r^4, yy = -xx
  const auto second = [&](T xa, T ya, T xb, T yb) {
    return gxx * (xa * xb - ya * yb) + gxy * (xa * yb + ya * xb);
  };
  return {atan2(y.f, x.f),
          gx * x.u + gy * y.u,
          gx * x.v + gy * y.v,
          second(x.u, y.u, x.u, y.u) + gx * x.uu + gy * y.uu,
          second(x.u, y.u, x.v, y.v) + gx * x.uv + gy * y.uv,
          second(x.v, y.v, x.v, y.v) + gx * x.vv + gy * y.vv};
}
template <class T>
Jet2<T> sinh(const Jet2<T>& a) {
  using std::cosh;
  using std::sinh;
  const T s = sinh(a.f);
  return detail::chain(s, cosh(a.f), s, a);
}
template <class T>
Jet2<T> cosh(const Jet2<T>& a) {
  using std::cosh;
  using std::sinh;
  const T c = cosh(a.f);
  return detail::chain(c, sinh(a.f), c, a);
}
template <class T>
Jet2<T> tanh(const Jet2<T>& a) {
  using std::tanh;
  const T t = tanh(a.f);
  const T first = T(1.0) - detail::squared(t);
  return detail::chain(t, first, T(-2.0) * t * first, a);
}
template <class T>
Jet2<T> exp(const Jet2<T>& a) {
  using std::exp;
  const T e = exp(a.f);
  return detail::chain(e, e, e, a);
}
template <class T>
Jet2<T> log(const Jet2<T>& a) {
  using std::log;
  if (detail::holds_none_above_zero(a.f)) return detail::without_derivatives(log(a.f));
  const T first = T(1.0) / a.f;
  return detail::chain(log(a.f), first, -detail::squared(first), a);
}
/// a^p for a > 0; a base below zero counts as zero.
template <class T>
Jet2<T> pow(const Jet2<T>& a, double p) {
  return detail::chain(detail::power(a.f, p), T(p) * detail::power(a.f, p, 1.0),
                       T(p) * (T(p) - T(1.0)) * detail::power(a.f, p, 2.0), a);
}
/// a^n for any sign of a; n = 0 gives 1.
template <class T>
Jet2<T> pow_int(const Jet2<T>& a, int n) {
  if (n == 0) return Jet2<T>(T(1.0));
  if (n == 1) return a;
  return detail::chain(detail::power_int(a.f, n), T(double(n)) * detail::power_int(a.f, n - 1),
                       T(double(n)) * T(double(n - 1)) * detail::power_int(a.f, n - 2), a);
}

}  // namespace repose
