#include "pivoting_dantzig.h"

#include <algorithm>
#include <cmath>

namespace repose::mechanism {

void DantzigPivoting::begin(std::span<const double> prior) {
  const int n = problem_->rows();
  resize(n);
  states_.assign(n, RowState::unknown);
  for (int i = 0; i < n; ++i) {
    a_[i] = problem_->b[i] - proximal_ * prior[i];
    size_ = std::max(size_, std::abs(a_[i]));
  }
  // a range that leaves out 0 starts from its nearer end
  for (int j = 0; j < n; ++j) {
    const RowLaw& law = problem_->laws[j];
    if (law.kind != RowKind::bilateral) continue;
    f_[j] = std::clamp(0.0, law.low, law.high);
    if (f_[j] == 0.0) continue;
    size_ = std::max(size_, std::abs(f_[j]));
    a_[j] += proximal_ * f_[j];
    for (int i = 0; i < n; ++i) {
      a_[i] += linear_->matrix()[static_cast<std::size_t>(i) * n + j] * f_[j];
    }
  }
}

PivotResult DantzigPivoting::run(const ScaledProblem& problem, PartitionSolver& linear,
                                 double proximal, std::span<const double> prior, int max_pivots,
                                 std::span<const int> order) {
  problem_ = &problem;
  linear_ = &linear;
  proximal_ = proximal;
  max_pivots_ = max_pivots;
  result_ = {};
  begin(prior);
  if (!hold_joints()) return result_;

  // then motors and brakes, then each contact with its friction
  for (int i = 0; i < problem.rows(); ++i) {
    if (problem.laws[i].kind == RowKind::bilateral && states_[i] == RowState::unknown) {
      if (!take_in(i)) return result_;
    }
  }
  for (const int i : order) {
    if (!take_in(i)) return result_;
    const int friction = problem.laws[i].partner;
    if (friction >= 0 && states_[friction] == RowState::unknown && !take_in(friction)) {
      return result_;
    }
  }
  result_.end = PivotEnd::found;
  return result_;
}

/// Rows without limits hold from the start.
bool DantzigPivoting::hold_joints() {
  for (int i = 0; i < problem_->rows(); ++i) {
    const RowLaw& law = problem_->laws[i];
    if (law.kind == RowKind::bilateral && unlimited(law)) states_[i] = RowState::held;
  }
  if (!linear_->factor(states_, proximal_)) return false;
  const std::vector<int>& held = linear_->held();
  rhs_.resize(held.size());
  for (std::size_t k = 0; k < held.size(); ++k) rhs_[k] = -a_[held[k]];
  linear_->solve_held(rhs_);
  for (std::size_t k = 0; k < held.size(); ++k) df_[held[k]] = rhs_[k];
  rates_from_forces();
  move(1.0);
  return rates_are_finite();
}

bool DantzigPivoting::take_in(int row) {
  const RowLaw& law = problem_->laws[row];
  if (law.kind == RowKind::normal) {
    if (a_[row] >= -tolerance()) {
      states_[row] = RowState::open;
      if (law.partner >= 0) states_[law.partner] = RowState::open;
      return true;
    }
    return drive(row, 1.0);
  }
  if (law.kind == RowKind::friction && states_[law.partner] == RowState::open) {
    states_[row] = RowState::open;
    return true;
  }
  if (std::abs(a_[row]) <= tolerance()) {
    states_[row] = RowState::held;
    return true;
  }
  return drive(row, a_[row] > 0.0 ? -1.0 : 1.0);
}

/// da = (A + proximal) df
void DantzigPivoting::rates_from_forces() {
  const int n = problem_->rows();
  for (int i = 0; i < n; ++i) {
    const double* a = &linear_->matrix()[static_cast<std::size_t>(i) * n];
    double sum = proximal_ * df_[i];
    for (int j = 0; j < n; ++j) sum += a[j] * df_[j];
    da_[i] = sum;
  }
}

bool DantzigPivoting::find_direction(int row, double direction) {
  if (!linear_->factor(states_, proximal_)) return false;
  const int n = problem_->rows();
  const std::vector<double>& matrix = linear_->matrix();
  const RowLaw& law = problem_->laws[row];
  std::fill(df_.begin(), df_.end(), 0.0);
  df_[row] = direction;
  const int friction = law.kind == RowKind::normal ? law.partner : -1;
  if (friction >= 0)
    df_[friction] = side_of(states_[friction]) * problem_->laws[friction].mu * direction;
  const std::vector<int>& held = linear_->held();
  rhs_.resize(held.size());
  for (std::size_t k = 0; k < held.size(); ++k) {
    const double* a = &matrix[static_cast<std::size_t>(held[k]) * n];
    rhs_[k] = -a[row] * df_[row];
    if (friction >= 0) rhs_[k] -= a[friction] * df_[friction];
  }
  linear_->solve_held(rhs_);
  for (std::size_t k = 0; k < held.size(); ++k) df_[held[k]] = rhs_[k];
  follow_rates(row);
  rates_from_forces();
  return rates_are_finite();
}

/// The driven row's acceleration runs out, or its force does, or it is back where it began.
PivotPath::Event DantzigPivoting::end_of_drive(int row, double wanted) const {
  Event end;
  offer(end, -wanted * a_[row], wanted * da_[row], row, RowState::held);
  if (problem_->laws[row].kind != RowKind::normal) offer_held(end, row);
  offer(end, wanted * (f_[row] - begun_), -wanted * df_[row], row, RowState::unknown);
  return end;
}

bool DantzigPivoting::drive(int row, double wanted) {
  const RowLaw& law = problem_->laws[row];
  if (law.kind == RowKind::normal && law.partner >= 0 && problem_->laws[law.partner].slides) {
    states_[law.partner] = problem_->laws[law.partner].slide_state;
  }
  begun_ = f_[row];
  double direction = wanted;
  int changed = -1;
  RowState before = RowState::unknown;
  result_.row = row;
  while (result_.pivots < max_pivots_) {
    ++result_.pivots;
    if (!find_direction(row, direction)) return false;
    if (changed >= 0 && folds(changed, before)) {
      direction = -direction;
      turn_back();
    }
    const Event event = next_event(end_of_drive(row, wanted), row);
    if (event.row < 0) {
      result_.end = PivotEnd::ray;
      return false;
    }
    move(event.length);
    if (event.row == row) {
      if (event.next == RowState::unknown) return false;
      states_[row] = event.next;
      return true;
    }
    changed = event.row;
    before = states_[event.row];
    change(event);
    // friction whose contact has opened needs none
    if (law.kind == RowKind::friction && states_[law.partner] == RowState::open) {
      states_[row] = RowState::open;
      f_[row] = 0.0;
      return true;
    }
  }
  return false;
}

}  // namespace repose::mechanism
