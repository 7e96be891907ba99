#pragma once

#include "pivoting_linear.h"

namespace repose::mechanism {

/// Changes all rows that break their law at once and solves again (block principal pivoting, Judice
/// and Pires 1994; a semismooth Newton step on the same equations), falling back to one row at a
/// time, the least index first, where that goes round. Few factorisations whatever the number of
/// rows. Where the plain search fails it follows the solution of A + t I from a large t, where it
/// is easy, down to `proximal`.
class BlockPivoting {
 public:
  /// `states` is where to begin and the partition reached; every row must have a state. True if no
  /// row of A + proximal I, b - proximal * prior breaks its law.
  bool search(const ScaledProblem& problem, PartitionSolver& linear, double proximal,
              std::span<const double> prior, States& states);
  /// The same by way of larger proximal terms.
  bool search_by_stages(const ScaledProblem& problem, PartitionSolver& linear, double proximal,
                        std::span<const double> prior, States& states);
  int pivots() const { return pivots_; }
  /// Forces of the last partition but for the changes that it called for.
  const std::vector<double>& f() const { return f_; }

 private:
  void begin(const ScaledProblem& problem, PartitionSolver& linear);
  bool rounds(double proximal, std::span<const double> prior, States& states, int limit);
  bool solve(double proximal, std::span<const double> prior, const States& states);
  int list_changes(double proximal, std::span<const double> prior, const States& states);

  const ScaledProblem* problem_ = nullptr;
  PartitionSolver* linear_ = nullptr;
  int pivots_ = 0;
  std::vector<double> f_, a_, y_;
  States next_;
};

/// The state of each row that forces f and accelerations a speak for: where both are near zero, the
/// one that is less so decides.
void read_states(const ScaledProblem& problem, std::span<const double> f, std::span<const double> a,
                 States& states);

}  // namespace repose::mechanism
