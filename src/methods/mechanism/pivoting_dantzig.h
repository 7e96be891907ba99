#pragma once

#include "pivoting_path.h"

namespace repose::mechanism {

/// Baraff 1994: rows are taken in one by one; each is driven by its force until its own law holds,
/// while all rows taken before keep theirs, changing state where a force or an acceleration reaches
/// the end of its range. Beyond Baraff, a drive that friction folds runs back and goes on. Works on
/// A + proximal I and b - proximal * prior, so that redundant rows share their load and the answer
/// is the one nearest to `prior`. Dense: the solver must have been prepared so.
class DantzigPivoting : public PivotPath {
 public:
  /// `order` lists the normal rows as they are to be taken in. With friction another order may find
  /// a solution where one fails.
  PivotResult run(const ScaledProblem& problem, PartitionSolver& linear, double proximal,
                  std::span<const double> prior, int max_pivots, std::span<const int> order);

 private:
  void begin(std::span<const double> prior);
  bool hold_joints();
  bool take_in(int row);
  bool drive(int row, double wanted);
  bool find_direction(int row, double direction);
  void rates_from_forces();
  Event end_of_drive(int row, double wanted) const;

  double begun_ = 0.0;  // force of the driven row when its drive began
};

}  // namespace repose::mechanism
