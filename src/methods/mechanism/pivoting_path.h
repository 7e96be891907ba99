#pragma once

#include "pivoting_linear.h"

namespace repose::mechanism {

///   found    every row satisfies its law up to rounding
///   ray      the path never ends: no force stops `row` (Painleve, or rows that contradict)
///   gave_up  too many pivots, or the path came back to its beginning
enum class PivotEnd { found, ray, gave_up };

struct PivotResult {
  PivotEnd end = PivotEnd::gave_up;
  int row = -1;
  int pivots = 0;
};

/// What pivoting along a path of solutions needs: states, forces and accelerations at its current
/// point, their rates along it, and where the next row reaches the end of its range. Rows whose
/// state is unknown take no part.
class PivotPath {
 public:
  /// The partition reached, and its forces.
  const States& states() const { return states_; }
  const std::vector<double>& f() const { return f_; }

 protected:
  struct Event {
    double length = kNoLimit;  // along the path
    int row = -1;
    RowState next = RowState::unknown;
    double rate = 0.0;  // of what runs out: among equal lengths the fastest is the safest pivot
  };
  void resize(int rows);
  /// The event that ends the stretch of the path, if it comes before `end`; `except` is left out.
  Event next_event(const Event& end, int except) const;
  /// Slack that shrinks at `rate` ends the stretch.
  void offer(Event& best, double slack, double rate, int row, RowState next) const;
  void offer_held(Event& best, int row) const;
  void offer_limit(Event& best, int row) const;
  /// Whether the row that changed last is carried off its new state by the direction found. Then
  /// the path has a fold there and goes on backwards.
  bool folds(int row, RowState before) const;
  void turn_back();
  void move(double length);
  /// The row takes its new state, a contact's friction with it.
  void change(const Event& event);
  /// The rates of rows that others fix, given those of held and driven rows: friction at its limit.
  void follow_rates(int except);
  bool rates_are_finite() const;
  double tolerance() const;

  const ScaledProblem* problem_ = nullptr;
  PartitionSolver* linear_ = nullptr;
  double proximal_ = 0.0;
  PivotResult result_;
  int max_pivots_ = 0;
  States states_;
  std::vector<double> f_, a_, df_, da_, rhs_;
  double size_ = 0.0;  // largest |f|, |b| so far

 private:
  bool sooner(const Event& best, double length, double rate) const;
  double largest_rate() const;
  void close(int row);
};

}  // namespace repose::mechanism
