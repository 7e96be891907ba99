#pragma once

#include "repose/solve/sparse_cholesky.h"

#include "step.h"

namespace repose::pile {

/// Gravity and a soft barrier around every ball, in mean radii and weights:
///   B(x) = -sum of push . x + product * sum over gaps g < cut of (g / cut - 1 - log(g / cut)),
/// cut = kCutOfProduct * product. A contact of force f keeps about product / f free, so that the
/// least of B goes to a state of rest with the product, and no g > 0 is ever closed on the way.
///
/// Each gap has a multiplier z of its own that stands for product / g in the matrix (primal-dual
/// interior point): z / g n n' - bend (z - product / cut) (I - n n') / d, n the direction and d the
/// distance between the centres; of a wall the first part alone. With z = product / g and bend = 1
/// that is the second derivative of B.
class SoftBarrier {
 public:
  static constexpr double kCutOfProduct = 10.0;  // per mean weight

  /// Balls at `at`; `keep` (m, by separation) is not part of a gap. `multipliers`, by separation,
  /// are those of the last such barrier, 0: none.
  SoftBarrier(const Arena& arena, const Placement& at, std::span<const Separation> separations,
              std::span<const double> keep, std::span<const double> multipliers, double product);

  void set_product(double product);
  double product() const { return product_; }
  /// Puts the balls at these displacements from the start. Requires: no gap is closed.
  void move_to(std::vector<Vec3> way);
  const std::vector<Vec3>& way() const { return way_; }

  /// Minus the derivative of B, by mover; 0 for what is held.
  const std::vector<Vec3>& forces() const { return force_; }
  /// The largest of them over the load of its ball.
  double worst_force() const { return worst_; }
  double least_gap() const { return least_gap_; }
  /// What B grows by along a share of a step; infinite where a gap would close.
  double growth(std::span<const Vec3> step, double share) const;
  /// The share of a step that leaves every gap a tenth of what it is, 1 at most.
  double longest(std::span<const Vec3> step) const;
  /// True if the straight ways from the start to here are free.
  bool way_is_free() const;

  /// Prepares for the matrix, fills it in.
  void analyze(solve::SparseCholesky& cholesky);
  void fill(double bend, std::span<const double> damping, solve::SparseCholesky& cholesky) const;
  /// Newton's step of the multipliers that belongs to that of the balls.
  void follow(std::span<const Vec3> step);
  /// By separation: z, and what the contact pushes with.
  std::vector<double> multipliers() const;
  std::vector<double> contact_forces() const;

 private:
  struct Pair {
    int a = -1, b = -1;  // movers; a -1: wall
    Vec3 between;        // balls: from a to b at the start
    double apart = 0.0;  // balls: distance at which they touch, with what is kept
    double gap0 = 0.0;   // wall: gap at the start
    Vec3 normal;         // unit, from a to b, as all that follows: here
    double distance = 0.0;
    double gap = 0.0;
    double multiplier = 0.0;  // 0: the barrier does not reach so far
  };
  static Vec3 relative(const Pair& p, std::span<const Vec3> x) {
    return p.a < 0 ? x[p.b] : Vec3(x[p.b] - x[p.a]);
  }
  double gap_after(const Pair& p, const Vec3& step) const;
  double height(double gap) const;
  void measure();
  void find_forces();

  const Arena& arena_;
  double product_, cut_;
  std::vector<Pair> pairs_;
  std::vector<Vec3> push_, way_, force_;
  double worst_ = 0.0, least_gap_ = 0.0;
  std::vector<char> in_pattern_;  // by pair; empty: not analysed yet
};

}  // namespace repose::pile
