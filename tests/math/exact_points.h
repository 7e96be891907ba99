#pragma once

#include <array>

#include "repose/base/random.h"
#include "repose/math/vec.h"

#include "math/integers.h"

namespace repose {

inline constexpr double kScales[] = {1e-3, 1.0, 1e3};

/// A coordinate of a coarse grid, often moved by a few ulp: many points of a line or a plane.
inline double coordinate(Random& random, double scale) {
  const double x = scale * (static_cast<double>(random.below(7)) - 3.0) / 3.0;
  const std::size_t moved = random.below(16);
  return moved != 1 && moved != 3 ? x : x * (1.0 + (static_cast<double>(moved) - 2.0) * 0x1p-52);
}
inline Vec3 grid_point(Random& random, double scale) {
  const double x = coordinate(random, scale), y = coordinate(random, scale);
  return {x, y, coordinate(random, scale)};
}

using Whole = std::array<Integer, 3>;
inline Whole whole(const Vec3& a, const Vec3& b) {
  return {Integer(a.x()) - Integer(b.x()), Integer(a.y()) - Integer(b.y()),
          Integer(a.z()) - Integer(b.z())};
}
inline int sign_of(const Whole& u, const Whole& v, const Whole& w) {
  return (u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) +
          u[2] * (v[0] * w[1] - v[1] * w[0]))
      .sign();
}

}  // namespace repose
