#include "repose/math/interval.h"

#include <numbers>

namespace repose {
namespace {

using detail::kEps;
using detail::kInf;
using detail::kTiny;

constexpr double kPi = std::numbers::pi;
/// Units in the last place by which a library function's value is pushed outward.
constexpr double kLibraryUlps = 4.0;
const Interval kEverything{-kInf, kInf};

double library_below(double x) {
  return x - (kLibraryUlps * kEps * std::fabs(x) + kTiny);
}
double library_above(double x) {
  return x + (kLibraryUlps * kEps * std::fabs(x) + kTiny);
}

/// The image of a growing function whose values lie in [floor, ceiling].
template <class F>
Interval growing(Interval a, F f, double floor = -kInf, double ceiling = kInf) {
  const double lo = a.lo == -kInf ? floor : std::max(floor, library_below(f(a.lo)));
  const double hi = a.hi == kInf ? ceiling : std::min(ceiling, library_above(f(a.hi)));
  return lo <= hi ? Interval{lo, hi} : kEverything;
}

/// Whether phase + period * k lies in `a` for some whole k; says yes in doubt.
bool may_hold(Interval a, double phase, double period) {
  const double lo = (a.lo - phase) / period, hi = (a.hi - phase) / period;
  const double doubt = 8.0 * kEps * (std::fabs(lo) + std::fabs(hi) + 1.0);
  return std::floor(hi + doubt) >= std::ceil(lo - doubt);
}

/// sin or cos with its tops at `top` + 2 pi k.
template <class F>
Interval wave(Interval a, F f, double top) {
  if (!(a.width() < 2.0 * kPi)) return {-1.0, 1.0};
  const double p = f(a.lo), q = f(a.hi);
  Interval out{std::max(-1.0, library_below(std::min(p, q))),
               std::min(1.0, library_above(std::max(p, q)))};
  if (may_hold(a, top, 2.0 * kPi)) out.hi = 1.0;
  if (may_hold(a, top + kPi, 2.0 * kPi)) out.lo = -1.0;
  return out;
}

}  // namespace

Interval sin(Interval a) {
  return wave(
      a, [](double x) { return std::sin(x); }, 0.5 * kPi);
}
Interval cos(Interval a) {
  return wave(
      a, [](double x) { return std::cos(x); }, 0.0);
}
Interval tan(Interval a) {
  if (!(a.width() < kPi) || may_hold(a, 0.5 * kPi, kPi)) return kEverything;
  return growing(a, [](double x) { return std::tan(x); });
}
Interval asin(Interval a) {
  const Interval inside{std::clamp(a.lo, -1.0, 1.0), std::clamp(a.hi, -1.0, 1.0)};
  return growing(inside, [](double x) { return std::asin(x); });
}
Interval acos(Interval a) {
  return Interval(detail::below(0.5 * kPi), detail::above(0.5 * kPi)) - asin(a);
}
Interval atan(Interval a) {
  const double right = library_above(0.5 * kPi);
  return growing(
      a, [](double x) { return std::atan(x); }, -right, right);
}
Interval atan2(Interval y, Interval x) {
  const double whole = library_above(kPi);
  if (x.lo <= 0.0 && y.lo <= 0.0 && y.hi >= 0.0) return {-whole, whole};
  const double p = std::atan2(y.lo, x.lo), q = std::atan2(y.lo, x.hi);
  const double r = std::atan2(y.hi, x.lo), s = std::atan2(y.hi, x.hi);
  return {library_below(std::min(std::min(p, q), std::min(r, s))),
          library_above(std::max(std::max(p, q), std::max(r, s)))};
}
Interval sinh(Interval a) {
  return growing(a, [](double x) { return std::sinh(x); });
}
Interval cosh(Interval a) {
  return growing(
      abs(a), [](double x) { return std::cosh(x); }, 1.0);
}
Interval tanh(Interval a) {
  return growing(
      a, [](double x) { return std::tanh(x); }, -1.0, 1.0);
}
Interval exp(Interval a) {
  return growing(
      a, [](double x) { return std::exp(x); }, 0.0);
}
Interval log(Interval a) {
  const double lo = a.lo > 0.0 ? library_below(std::log(a.lo)) : -kInf;
  const double hi = a.hi > 0.0 ? library_above(std::log(a.hi)) : -kInf;
  return lo <= hi ? Interval{lo, hi} : kEverything;
}
Interval pow_abs(Interval a, double p) {
  if (p == 0.0) return 1.0;
  return growing(
      abs(a), [p](double x) { return std::pow(x, p); }, 0.0);
}
Interval pow(Interval a, double p) {
  if (a.hi < 0.0) return kEverything;
  if (p >= 0.0) return pow_abs({std::max(0.0, a.lo), std::max(0.0, a.hi)}, p);
  if (!(a.lo > 0.0)) return kEverything;
  return Interval(1.0) / pow_abs(a, -p);
}
Interval pow(Interval a, double p, double less) {
  const double e = p - less, back = e + less;
  const double lost = std::fabs((p - back) + (less - (back - e)));  // of the difference, exactly
  const Interval out = pow(a, e);
  if (lost == 0.0) return out;
  // a^(e +- lost) = a^e exp(+- lost ln a), |ln a| <= ln 2 (|binary exponent| + 1)
  constexpr double kLnTwo = 0.7;  // and more
  double most = 0.0;
  for (const double x : {std::max(0.0, a.lo), a.hi})
    if (x > 0.0 && x < kInf) most = std::max(most, kLnTwo * (std::abs(std::ilogb(x)) + 1.0));
  const double part = 2.0 * lost * most;
  return out * Interval(1.0 - part, 1.0 + part);
}
Interval pow_int(Interval a, int n) {
  if (n < 0) return Interval(1.0) / pow_int(a, -n);
  if (n % 2 == 0) return pow_abs(a, n);
  return growing(a, [n](double x) { return std::pow(x, n); });
}

}  // namespace repose
