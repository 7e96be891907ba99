#pragma once

#include "pivoting_linear.h"

namespace repose::mechanism {

/// Takes rates, or places, back onto constraints that hold both ways: the least change in the
/// kinetic-energy norm (Baraff 1995, "Computing the tolerance correction"). Rows that contradict
/// each other in their rounding are met as well as they can be.
class Projection {
 public:
  /// Forces f with |A f + b| at most `share` of the largest `magnitude` in a group of coupled rows,
  /// rows measured in units of sqrt(A_ii). Every row of the problem counts as bilateral and without
  /// limits; `magnitude` holds the size of what each b is a difference of. Valid until the next
  /// call; all 0 where nothing was to be done.
  const std::vector<double>& solve(const ForceProblem& problem, std::span<const double> magnitude,
                                   double share);

 private:
  void solve_group(const ForceProblem& problem, const RowGroup& group,
                   std::span<const double> magnitude, double share);

  Grouping grouping_;
  ScaledProblem scaled_;
  PartitionSolver small_;
  std::vector<PartitionSolver> large_;  // one for each group, so that its pattern is kept
  std::size_t large_groups_ = 0;
  States states_;
  std::vector<double> f_, group_f_;
  VerifyWork work_;
};

}  // namespace repose::mechanism
