#pragma once

#include "pivoting_path.h"

namespace repose::mechanism {

/// Follows the solution from an easier problem, whose solution is known, to the given one: b moves
/// from b_0 to b, and rows change state one by one on the way. From scratch b_0 parts every
/// contact, and this is Lemke's path, without forming A; from a partition nearby b_0 is what that
/// partition solves. Folds are followed, so that friction does not stop it. One factorisation per
/// pivot.
class HomotopyPivoting : public PivotPath {
 public:
  /// From the partition `start` and forces `f` near its own.
  PivotResult continue_from(const ScaledProblem& problem, PartitionSolver& linear, double proximal,
                            std::span<const double> prior, const States& start,
                            std::span<const double> f, int max_pivots);
  /// From all contacts open.
  PivotResult from_scratch(const ScaledProblem& problem, PartitionSolver& linear, double proximal,
                           std::span<const double> prior, int max_pivots);

 private:
  void begin(const ScaledProblem& problem, PartitionSolver& linear, double proximal,
             int max_pivots);
  void clamp_forces();
  void find_start(std::span<const double> prior, bool parted);
  PivotResult follow();
  bool find_direction(double direction);

  double s_ = 0.0;          // 0: b_0, 1: b
  std::vector<double> db_;  // b - b_0
  std::vector<double> y_, correction_;
};

}  // namespace repose::mechanism
