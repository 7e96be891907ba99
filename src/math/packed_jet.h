#pragma once

#include "repose/math/jet.h"
#include "repose/math/lanes.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"  // nothing here is called across a library's border

namespace repose {

/// A Jet2<T> whose parts are worked on side by side: (f, u, v) and (uu, uv, vv). Operations give
/// the bits that Jet2's give.
template <class T>
struct PackedJet {
  using L = typename LanesOf<T>::Type;
  L first{}, second{};

  PackedJet() = default;
  PackedJet(const L& f_u_v, const L& uu_uv_vv) : first(f_u_v), second(uu_uv_vv) {}
  PackedJet(double constant) { set_lane(first, 0, T(constant)); }  // NOLINT: a constant function
  explicit PackedJet(const Jet2<T>& jet) {
    const T all[6] = {jet.f, jet.u, jet.v, jet.uu, jet.uv, jet.vv};
    for (int k = 0; k < 3; ++k) {
      set_lane(first, k, all[k]);
      set_lane(second, k, all[3 + k]);
    }
  }
  Jet2<T> jet() const { return {first[0], first[1], first[2], second[0], second[1], second[2]}; }
  T value() const { return first[0]; }
};

template <class T>
PackedJet<T> operator-(const PackedJet<T>& a) {
  return {-a.first, -a.second};
}
template <class T>
PackedJet<T> operator+(const PackedJet<T>& a, const PackedJet<T>& b) {
  return {a.first + b.first, a.second + b.second};
}
template <class T>
PackedJet<T> operator-(const PackedJet<T>& a, const PackedJet<T>& b) {
  return {a.first - b.first, a.second - b.second};
}
template <class T>
PackedJet<T> operator*(const PackedJet<T>& a, const PackedJet<T>& b) {
  using L = typename PackedJet<T>::L;
  const L af = pick<0, 0, 0, 0>(a.first), bf = pick<0, 0, 0, 0>(b.first);
  const L by_b = a.first * bf;
  const L first = with_lane<0>(by_b + af * b.first, by_b);
  // u u, u v, v v, v u
  const L across = pick<1, 1, 2, 2>(a.first) * pick<1, 2, 2, 1>(b.first);
  const L twice = with_lane<1>(lanes(T(2.0)) * across, across);
  const L begun = a.second * bf + twice;
  const L more = with_lane<1>(begun, begun + pick<3, 3, 3, 3>(across));
  return {first, more + af * b.second};
}
template <class T>
PackedJet<T> operator/(const PackedJet<T>& a, const PackedJet<T>& b) {
  using L = typename PackedJet<T>::L;
  const L bf = pick<0, 0, 0, 0>(b.first);
  const L f = a.first / bf;  // its first lane is the value
  const L qf = pick<0, 0, 0, 0>(f);
  const L first = with_lane<0>((a.first - qf * b.first) / bf, f);
  const L across = pick<1, 1, 2, 2>(first) * pick<1, 2, 2, 1>(b.first);
  const L twice = with_lane<1>(lanes(T(2.0)) * across, across);
  const L begun = a.second - twice;
  const L more = with_lane<1>(begun, begun - pick<3, 3, 3, 3>(across));
  return {first, (more - qf * b.second) / bf};
}
/// number * a.
template <class T>
PackedJet<T> times(double number, const PackedJet<T>& a) {
  const auto all = lanes(T(number));
  return {all * a.first, all * a.second};
}
template <class T>
PackedJet<T> plus(double number, PackedJet<T> a) {
  set_lane(a.first, 0, T(number) + a.value());
  return a;
}

/// g(a) given g, g' and g'' at its value.
template <class T>
PackedJet<T> chain(T g, T g1, T g2, const PackedJet<T>& a) {
  using L = typename PackedJet<T>::L;
  const L by = lanes(g1), bent = lanes(g2);
  L first = by * a.first;
  set_lane(first, 0, g);
  const L u = pick<1, 1, 2, 2>(a.first);
  const L begun = bent * with_lane<1>(squared(u), u);
  const L across = with_lane<1>(begun, begun * pick<2, 2, 2, 2>(a.first));
  return {first, across + by * a.second};
}
template <class T>
PackedJet<T> square(const PackedJet<T>& a) {
  return chain(detail::squared(a.value()), T(2.0) * a.value(), T(2.0), a);
}
template <class T>
PackedJet<T> sqrt(const PackedJet<T>& a) {
  using std::sqrt;
  const T r = sqrt(a.value());
  const T first = T(0.5) / r;
  return chain(r, first, T(-0.5) * first / a.value(), a);
}
template <class T>
PackedJet<T> sin(const PackedJet<T>& a) {
  using std::cos;
  using std::sin;
  const T s = sin(a.value());
  return chain(s, cos(a.value()), -s, a);
}
template <class T>
PackedJet<T> cos(const PackedJet<T>& a) {
  using std::cos;
  using std::sin;
  const T c = cos(a.value());
  return chain(c, -sin(a.value()), -c, a);
}
template <class T>
PackedJet<T> pow(const PackedJet<T>& a, double p) {
  return PackedJet<T>(pow(a.jet(), p));
}

}  // namespace repose

#pragma GCC diagnostic pop
