#pragma once

#include <array>

#include "repose/math/vec.h"

namespace repose::check {

/// A vector of numbers finer than doubles where rounding of large bodies hides a small one.
template <class Real>
using VecOf = Eigen::Matrix<Real, 3, 1>;

/// Up to four points of the difference of two convex sets, and the point among their mixtures that
/// is nearest to the origin.
template <class Real>
class GjkSimplexOf {
  using Vec3 = VecOf<Real>;

 public:
  /// Adds b - a and finds the nearest point anew. False where rounding lets it come no nearer; then
  /// nothing has changed.
  bool add(const Vec3& a, const Vec3& b);
  const Vec3& nearest() const { return nearest_; }
  bool full() const { return count_ == 4; }
  Vec3 point_a() const;
  Vec3 point_b() const;

 private:
  struct Corner {
    Vec3 w, a, b;  // w = b - a
  };
  struct Nearest;
  void offer_edge(int i, Nearest& best) const;
  void offer_triangle(int i, int j, Nearest& best) const;
  void offer_tetrahedron(Nearest& best) const;

  std::array<Corner, 4> corner_;
  std::array<Real, 4> weight_{};
  int count_ = 0;
  Vec3 nearest_ = Vec3::Zero();
};

using GjkSimplex = GjkSimplexOf<double>;

}  // namespace repose::check
