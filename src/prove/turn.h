#pragma once

#include <array>

#include "repose/math/pose.h"

namespace repose::prove {

/// The matrix of the rotation that q stands for, whatever its length, times `weight`.
template <class Number>
struct Turn {
  std::array<std::array<Number, 3>, 3> rows;
  Number weight;
};
template <class Number>
Turn<Number> turn_of(const Quat& q) {
  const Number w = q.w(), x = q.x(), y = q.y(), z = q.z(), two = 2.0;
  const Number ww = w * w, xx = x * x, yy = y * y, zz = z * z;
  const Number xy = two * x * y, xz = two * x * z, yz = two * y * z;
  const Number wx = two * w * x, wy = two * w * y, wz = two * w * z;
  return {{{{ww + xx - yy - zz, xy - wz, xz + wy},
            {xy + wz, ww - xx + yy - zz, yz - wx},
            {xz - wy, yz + wx, ww - xx - yy + zz}}},
          ww + xx + yy + zz};
}

template <class Number>
using Triple = std::array<Number, 3>;

template <class Number>
Triple<Number> triple(const Vec3& v) {
  return {Number(v.x()), Number(v.y()), Number(v.z())};
}
template <class Number>
Triple<Number> operator-(const Triple<Number>& a, const Triple<Number>& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
template <class Number>
Number dot(const Triple<Number>& a, const Triple<Number>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
template <class Number>
Number length(const Triple<Number>& a) {
  return sqrt(square(a[0]) + square(a[1]) + square(a[2]));
}
/// A direction of the body, world axes.
template <class Number>
Triple<Number> turned(const Turn<Number>& t, const Triple<Number>& v) {
  return {dot(t.rows[0], v) / t.weight, dot(t.rows[1], v) / t.weight, dot(t.rows[2], v) / t.weight};
}
/// A direction of the world, body axes.
template <class Number>
Triple<Number> turned_back(const Turn<Number>& t, const Triple<Number>& v) {
  Triple<Number> out;
  for (std::size_t k = 0; k < 3; ++k)
    out[k] = (t.rows[0][k] * v[0] + t.rows[1][k] * v[1] + t.rows[2][k] * v[2]) / t.weight;
  return out;
}

}  // namespace repose::prove
