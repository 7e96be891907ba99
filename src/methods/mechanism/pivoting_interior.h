#pragma once

#include "pivoting_linear.h"

namespace repose::mechanism {

/// Primal-dual interior point on the rows' complementarity conditions: every force stays strictly
/// inside its range while product after product of slack and acceleration is driven to zero. Number
/// of steps hardly depends on the number of rows; where redundant rows leave forces open it ends in
/// the middle of what is possible, far from all limits. Sparse: proximal I + J' D^-1 J on the
/// bodies' freedoms, with a 2x2 block D per contact. Friction is Coulomb's own, so the problem need
/// not be monotone and the answer must be verified.
class InteriorPoint {
 public:
  /// Steps until the residual (verify) is `wanted` or stops falling. Gives the smallest residual
  /// met; f() are its forces.
  double run(const ScaledProblem& problem, double wanted);
  const std::vector<double>& f() const { return best_; }
  int steps() const { return steps_; }

 private:
  void begin(const ScaledProblem& problem);
  void find_slacks();
  void find_accelerations();
  bool solve_direction(double target);
  bool factor();
  void solve(std::vector<double>& x);
  double longest_step() const;
  double gap() const;
  void move(double length);
  bool follows(int row) const;

  const ScaledProblem* problem_ = nullptr;
  int steps_ = 0, products_ = 0;
  std::vector<double> f_, a_, df_, dq_, dp_, dw_, du_;
  std::vector<double> w_, q_;        // slack above the lower limit and its dual; w < 0: no limit
  std::vector<double> u_, p_;        // slack below the upper limit and its dual
  std::vector<double> own_, cross_;  // D_ii, and of friction D_tn
  std::vector<RowGeometry> columns_;
  solve::SparseBlocks blocks_;
  std::vector<std::pair<int, int>> pairs_;
  std::vector<int> pair_place_;
  std::vector<double> y_, x_, best_;
  VerifyWork work_;
};

}  // namespace repose::mechanism
