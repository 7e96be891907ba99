#pragma once

#include <span>
#include <vector>

#include "repose/solve/sparse_blocks.h"

#include "contact_forces_scaled.h"

namespace repose::mechanism {

using States = std::vector<RowState>;

/// +1 at_high, -1 at_low, 0 otherwise.
inline double side_of(RowState state) {
  return state == RowState::at_high ? 1.0 : state == RowState::at_low ? -1.0 : 0.0;
}

/// Numbers spread evenly over [0, 1): the fractional parts of the golden ratio's multiples.
double spread(int index);

/// Sets the force of every row that its state fixes: 0 if open, a limit, or its share of the normal
/// force.
void follow_states(const ScaledProblem& problem, const States& states, std::span<double> f);

/// Makes friction agree with its normal: open where the normal is, sliding where it must. Rows
/// whose state is unknown or impossible count as held (closed contacts) or open.
void repair_states(const ScaledProblem& problem, States& states);

/// The linear system of one partition (Baraff 1995, eq. 8, with friction): rows that are held have
/// a = 0, friction at its limit is a column of its normal. Redundant rows make it singular; a
/// proximal term `proximal * (f - f_before)` selects the solution nearest to f_before and is driven
/// out by repetition (Rockafellar 1976).
class PartitionSolver {
 public:
  /// dense: A is formed and the held rows' system factored; otherwise the equivalent system on the
  /// bodies' freedoms, proximal I + J' J, is factored sparsely and A is never formed. The problem
  /// must outlive its use.
  void prepare(const ScaledProblem& problem, bool dense);
  /// Row by row; only if dense.
  const std::vector<double>& matrix() const { return matrix_; }

  /// False if the system is singular beyond the proximal term's help.
  bool factor(const States& states, double proximal);
  const std::vector<int>& held() const { return held_; }
  /// x := (A_held + proximal I)^-1 x, one value for each held row.
  void solve_held(std::span<double> x);

  /// One proximal step from f: held rows change by -(A_held + proximal)^-1 a, the others follow.
  void step(std::span<const double> a, std::span<double> f);
  /// Steps until the held rows' accelerations are at most `enough` of their scale or stop falling.
  /// f is where to start and the answer; `work` holds A f + b and scales for it. Gives the largest
  /// |a| over its scale among held rows; infinity if the system could not be factored.
  double solve(const States& states, double proximal, double enough, std::span<double> f,
               VerifyWork& work);
  int factorisations() const { return factorisations_; }

 private:
  void choose(const States& states, double proximal);
  bool factor_chosen();
  void fill_matrix();
  void find_pattern();
  bool factor_dense();
  bool factor_symmetric(int m);
  bool factor_general(int m);
  bool factor_sparse();
  void solve_dense(std::span<double> x) const;
  void solve_sparse(std::span<double> x);
  RowGeometry column_of(int row) const;

  const ScaledProblem* problem_ = nullptr;
  bool dense_ = true, symmetric_ = true;
  bool pattern_known_ = false;  // of blocks_, for this problem
  double proximal_ = 0.0;
  int factorisations_ = 0;
  States states_;
  std::vector<int> held_;
  std::vector<double> matrix_;              // A
  std::vector<double> factor_;              // LDL' or LU of the held system
  std::vector<int> exchange_;               // row exchanges of LU
  solve::SparseBlocks blocks_;              // proximal I + G J on the bodies
  std::vector<std::pair<int, int>> pairs_;  // of bodies, one for each row that has two
  std::vector<int> pair_place_;             // by row; -1: one body
  std::vector<RowGeometry> columns_;        // G of the held rows
  std::vector<double> delta_, y_;
};

}  // namespace repose::mechanism
