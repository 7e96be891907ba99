#pragma once

#include <array>
#include <vector>

#include "shape/define/terms.h"

namespace repose::shape {

inline constexpr int kHighestDegree = 7;

/// Homogeneous: (w x, w y, w z, w).
template <class T>
using Homogeneous = std::array<T, 4>;

/// A grid of control points, v running fastest.
template <class T>
struct Net {
  int degree_u = 0, degree_v = 0;
  std::vector<Homogeneous<T>> points;

  Homogeneous<T>& at(int i, int j) { return points[index(i, j)]; }
  const Homogeneous<T>& at(int i, int j) const { return points[index(i, j)]; }

 private:
  std::size_t index(int i, int j) const {
    return static_cast<std::size_t>(i) * static_cast<std::size_t>(degree_v + 1) +
           static_cast<std::size_t>(j);
  }
};

/// A net in doubles with what its coefficients, given as intervals, may be off.
struct FlatNet {
  int degree_u = 0, degree_v = 0;
  std::vector<Homogeneous<double>> points;  // v running fastest
  Homogeneous<double> largest{}, widest{};  // magnitude and width of the coefficients, each part

  FlatNet() = default;
  explicit FlatNet(const Net<Interval>& net);
};

/// One rational Bezier rectangle of a larger patch, s = (u - u0) / width along u, alike along v.
class BezierCell {
 public:
  BezierCell(Net<double> net, const UvBox& box, bool rational);

  const UvBox& box() const { return box_; }
  Terms<double> terms(double u, double v) const;
  /// By the control nets of value and derivatives, each cut down to the box: S and its derivatives
  /// lie in the hull of the cut net. Requires: `box` lies in box().
  Terms<Interval> terms(const UvBox& box) const;

 private:
  UvBox box_;
  double per_u_, per_v_;  // 1 / width
  bool rational_;
  Net<double> net_;
  /// Of S, Su, Sv, Suu, Suv, Svv in homogeneous form.
  std::array<FlatNet, 6> nets_;
};

}  // namespace repose::shape
