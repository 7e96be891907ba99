#pragma once

#include <array>

#include "repose/math/vec.h"

#include "check/verdict/spent.h"

namespace repose::check {

/// The distance of two convex sets, computed: `point_b - point_a` and a plane square to `direction`
/// that is as far from the origin as the difference, up to upper - lower.
struct CoreDistance {
  double lower = 0.0;  // by the best plane, computed
  double upper = 0.0;  // |point_b - point_a|
  Vec3 direction = Vec3::UnitZ();
  Vec3 point_a, point_b;
  bool meet = false;  // the origin lies in the simplex: no plane
};

/// Up to four points of the difference of two convex sets, and the point among their mixtures that
/// is nearest to the origin.
class Simplex {
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
  std::array<double, 4> weight_{};
  int count_ = 0;
  Vec3 nearest_ = Vec3::Zero();
};

/// Gilbert, Johnson, Keerthi 1988: farthest_a(d) is the point of a farthest along d, farthest_b(d)
/// the point of b farthest against it. Starts along `start` (any length but zero); stops at
/// upper - lower <= width or lower >= enough; nearer than `nothing` is no distance.
template <class FarthestA, class FarthestB>
CoreDistance gjk(const FarthestA& farthest_a, const FarthestB& farthest_b, Vec3 start, double width,
                 double enough, double nothing) {
  constexpr int kMostSteps = 200;
  CoreDistance out;
  out.lower = -std::numeric_limits<double>::infinity();
  out.upper = std::numeric_limits<double>::infinity();
  Simplex simplex;
  Vec3 v = start;
  for (int step = 0; step < kMostSteps; ++step) {
    const Vec3 d = v / v.norm();
    ++spent.supports;
    const Vec3 a = farthest_a(d), b = farthest_b(d);
    const double lower = d.dot(b - a);
    if (lower > out.lower) {
      out.lower = lower;
      out.direction = d;
    }
    if (out.upper - out.lower <= width) break;
    if (!simplex.add(a, b)) break;
    v = simplex.nearest();
    out.upper = v.norm();
    if (out.lower >= enough) break;
    if (simplex.full() || out.upper <= nothing) {
      out.meet = true;
      break;
    }
  }
  out.point_a = simplex.point_a();
  out.point_b = simplex.point_b();
  if (out.meet) out.upper = 0.0;
  return out;
}

}  // namespace repose::check
