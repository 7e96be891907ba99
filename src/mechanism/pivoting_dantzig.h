#pragma once

#include "pivoting_linear.h"

namespace repose::mechanism {

///   found    every row satisfies its law up to rounding
///   ray      driving `row` never ends: no force stops it (Painleve, or rows that contradict)
///   gave_up  too many pivots
enum class PivotEnd { found, ray, gave_up };

struct PivotResult {
  PivotEnd end = PivotEnd::gave_up;
  int row = -1;
  int pivots = 0;
};

/// Baraff 1994: rows are taken in one by one; each is driven by its force until its own law holds,
/// while all rows taken before keep theirs, changing state where a force or an acceleration reaches
/// the end of its range. Works on A + proximal I and b - proximal * near, so that redundant rows
/// share their load and the answer is the one nearest to `near`. Dense: the solver must have been
/// prepared so.
class DantzigPivoting {
 public:
  /// `order` lists the normal rows as they are to be taken in. With friction another order may find
  /// a solution where one fails.
  PivotResult run(const ScaledProblem& problem, PartitionSolver& linear, double proximal,
                  std::span<const double> near, int max_pivots, std::span<const int> order);
  /// The partition reached.
  const States& states() const { return states_; }
  const std::vector<double>& f() const { return f_; }

 private:
  struct Event {
    double length = kNoLimit;  // of the step along the driven force
    int row = -1;
    RowState next = RowState::unknown;
    double rate = 0.0;  // of what runs out: among equal lengths the fastest is the safest pivot
  };
  void begin(std::span<const double> near);
  bool take_in(int row);
  bool drive(int row, double wanted);
  bool folds(int row, RowState before) const;
  void change(const Event& event, int driven);
  bool find_direction(int row, double direction);
  Event next_event(int row, double wanted) const;
  void offer(Event& best, double slack, double rate, int row, RowState next) const;
  void offer_held(Event& best, int row, double df) const;
  void offer_limit(Event& best, int row) const;
  void offer_driven(Event& best, int row, double wanted) const;
  void enter(int row);
  void move(double length);
  double tolerance() const;
  bool sooner(const Event& best, double length, double rate) const;

  const ScaledProblem* problem_ = nullptr;
  PartitionSolver* linear_ = nullptr;
  double proximal_ = 0.0;
  PivotResult result_;
  int max_pivots_ = 0;
  States states_;  // unknown: not taken in yet
  std::vector<double> f_, a_, b_, df_, da_, rhs_;
  double begun_ = 0.0;  // force of the driven row when its drive began
  double size_ = 0.0;   // largest |f|, |b| so far
};

}  // namespace repose::mechanism
