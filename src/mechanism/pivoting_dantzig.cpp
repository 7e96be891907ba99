#include "pivoting_dantzig.h"

#include <algorithm>
#include <cmath>

namespace repose::mechanism {
namespace {

/// Accelerations and slacks below this share of the largest force or acceleration are rounding.
constexpr double kZero = 1e-12;
/// Rates below this share of the largest rate of the step do not end a step.
constexpr double kNoRate = 1e-12;

}  // namespace

double DantzigPivoting::tolerance() const {
  return kZero * size_;
}

void DantzigPivoting::begin(std::span<const double> near) {
  const int n = problem_->rows();
  f_.assign(n, 0.0);
  df_.assign(n, 0.0);
  da_.assign(n, 0.0);
  states_.assign(n, RowState::unknown);
  b_.resize(n);
  size_ = 0.0;
  for (int i = 0; i < n; ++i) {
    b_[i] = problem_->b[i] - proximal_ * near[i];
    size_ = std::max(size_, std::abs(b_[i]));
  }
  a_ = b_;
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
                                 double proximal, std::span<const double> near, int max_pivots,
                                 std::span<const int> order) {
  problem_ = &problem;
  linear_ = &linear;
  proximal_ = proximal;
  max_pivots_ = max_pivots;
  result_ = {};
  begin(near);

  // rows without limits hold from the start
  for (int i = 0; i < problem.rows(); ++i) {
    const RowLaw& law = problem.laws[i];
    if (law.kind == RowKind::bilateral && unlimited(law)) states_[i] = RowState::held;
  }
  if (!linear.factor(states_, proximal)) return result_;
  rhs_.assign(linear.held().size(), 0.0);
  for (std::size_t k = 0; k < rhs_.size(); ++k) rhs_[k] = -a_[linear.held()[k]];
  linear.solve_held(rhs_);
  for (std::size_t k = 0; k < rhs_.size(); ++k) df_[linear.held()[k]] = rhs_[k];
  const int n = problem.rows();
  for (int i = 0; i < n; ++i) {
    const double* row = &linear.matrix()[static_cast<std::size_t>(i) * n];
    double sum = proximal * df_[i];
    for (const int j : linear.held()) sum += row[j] * df_[j];
    da_[i] = sum;
  }
  move(1.0);

  // then motors and brakes, then each contact with its friction
  for (int i = 0; i < n; ++i) {
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

bool DantzigPivoting::find_direction(int row, double direction) {
  if (!linear_->factor(states_, proximal_)) return false;
  const int n = problem_->rows();
  const std::vector<double>& matrix = linear_->matrix();
  const RowLaw& law = problem_->laws[row];
  std::fill(df_.begin(), df_.end(), 0.0);
  df_[row] = direction;
  if (law.kind == RowKind::normal && law.partner >= 0) {
    df_[law.partner] = side_of(states_[law.partner]) * problem_->laws[law.partner].mu * direction;
  }
  const std::vector<int>& held = linear_->held();
  rhs_.resize(held.size());
  const int friction = law.kind == RowKind::normal ? law.partner : -1;
  for (std::size_t k = 0; k < held.size(); ++k) {
    const double* a = &matrix[static_cast<std::size_t>(held[k]) * n];
    rhs_[k] = -a[row] * df_[row];
    if (friction >= 0) rhs_[k] -= a[friction] * df_[friction];
  }
  linear_->solve_held(rhs_);
  for (std::size_t k = 0; k < held.size(); ++k) df_[held[k]] = rhs_[k];
  for (int i = 0; i < n; ++i) {
    const RowLaw& other = problem_->laws[i];
    if (other.kind != RowKind::friction || i == row || states_[i] == RowState::held) continue;
    df_[i] = side_of(states_[i]) * other.mu * df_[other.partner];
  }
  for (int i = 0; i < n; ++i) {
    const double* a = &matrix[static_cast<std::size_t>(i) * n];
    double sum = proximal_ * df_[i];
    for (int j = 0; j < n; ++j) sum += a[j] * df_[j];
    da_[i] = sum;
  }
  return std::all_of(da_.begin(), da_.end(), [](double rate) { return std::isfinite(rate); });
}

bool DantzigPivoting::sooner(const Event& best, double length, double rate) const {
  if (length < best.length * (1.0 - kZero)) return true;
  // a search that takes long may be going round: then the least index wins among equals
  const bool going_round = result_.pivots > max_pivots_ / 2;
  return !going_round && length <= best.length * (1.0 + kZero) && rate > best.rate;
}

void DantzigPivoting::offer(Event& best, double slack, double rate, int row, RowState next) const {
  // slack shrinks at `rate`
  if (!(rate > 0.0)) return;
  const double length = std::max(0.0, slack) / rate;
  if (sooner(best, length, rate)) best = {length, row, next, rate};
}

void DantzigPivoting::offer_held(Event& best, int row, double df) const {
  const RowLaw& law = problem_->laws[row];
  if (law.kind == RowKind::friction) {
    const double limit = law.mu * f_[law.partner], grow = law.mu * df_[law.partner];
    offer(best, limit - f_[row], df - grow, row, RowState::at_high);
    offer(best, limit + f_[row], -df - grow, row, RowState::at_low);
    return;
  }
  const RowState below = law.kind == RowKind::normal ? RowState::open : RowState::at_low;
  if (law.low > -kNoLimit) offer(best, f_[row] - law.low, -df, row, below);
  if (law.high < kNoLimit) offer(best, law.high - f_[row], df, row, RowState::at_high);
}

void DantzigPivoting::offer_limit(Event& best, int row) const {
  const RowLaw& law = problem_->laws[row];
  if (law.slides) return;
  switch (states_[row]) {
    case RowState::open:
      if (law.kind == RowKind::normal) offer(best, a_[row], -da_[row], row, RowState::held);
      return;
    case RowState::at_low:
      offer(best, a_[row], -da_[row], row, RowState::held);
      return;
    case RowState::at_high:
      offer(best, -a_[row], da_[row], row, RowState::held);
      return;
    default:
      return;
  }
}

void DantzigPivoting::offer_driven(Event& best, int row, double wanted) const {
  // its acceleration runs out, or its force does
  offer(best, -wanted * a_[row], wanted * da_[row], row, RowState::held);
  const RowLaw& law = problem_->laws[row];
  if (law.kind != RowKind::normal) offer_held(best, row, df_[row]);
  // a drive that turned back to where it began has failed
  offer(best, wanted * (f_[row] - begun_), -wanted * df_[row], row, RowState::unknown);
}

DantzigPivoting::Event DantzigPivoting::next_event(int row, double wanted) const {
  double rates = 0.0;
  for (int i = 0; i < problem_->rows(); ++i) {
    rates = std::max({rates, std::abs(df_[i]), std::abs(da_[i])});
  }
  const double still = kNoRate * rates;
  Event best;
  offer_driven(best, row, wanted);
  for (int i = 0; i < problem_->rows(); ++i) {
    if (i == row || states_[i] == RowState::unknown) continue;
    Event candidate;
    if (states_[i] == RowState::held) {
      offer_held(candidate, i, df_[i]);
    } else {
      offer_limit(candidate, i);
    }
    if (candidate.row < 0 || candidate.rate <= still) continue;
    // the driven row's own end wins among equals: it finishes the drive
    const bool wins = best.row == row ? candidate.length < best.length * (1.0 - kZero)
                                      : sooner(best, candidate.length, candidate.rate);
    if (wins) best = candidate;
  }
  return best;
}

void DantzigPivoting::move(double length) {
  for (int i = 0; i < problem_->rows(); ++i) {
    f_[i] += length * df_[i];
    a_[i] += length * da_[i];
    size_ = std::max(size_, std::abs(f_[i]));
  }
}

/// A contact closes: its friction resists the way it is about to slide.
void DantzigPivoting::enter(int row) {
  const RowLaw& law = problem_->laws[row];
  states_[row] = RowState::held;
  if (law.kind != RowKind::normal || law.partner < 0) return;
  const int friction = law.partner;
  if (states_[friction] != RowState::open) return;
  if (problem_->laws[friction].slides) {
    states_[friction] = problem_->laws[friction].slide_state;
  } else if (std::abs(a_[friction]) <= tolerance()) {
    states_[friction] = RowState::held;
  } else {
    states_[friction] = a_[friction] > 0.0 ? RowState::at_low : RowState::at_high;
  }
}

/// Whether the row that changed last is carried off its new state by the direction found. Then the
/// path of solutions has a fold there and goes on with the driven force running back.
bool DantzigPivoting::folds(int row, RowState before) const {
  const RowLaw& law = problem_->laws[row];
  double rate = 0.0;  // of the slack that was just used up
  switch (states_[row]) {
    case RowState::open:
    case RowState::at_low:
      rate = da_[row];
      break;
    case RowState::at_high:
      rate = -da_[row];
      break;
    default:
      if (before == RowState::open || before == RowState::at_low) rate = df_[row];
      if (before == RowState::at_high) rate = -df_[row];
      if (law.kind == RowKind::friction) rate += law.mu * df_[law.partner];
  }
  double rates = 0.0;
  for (std::size_t i = 0; i < df_.size(); ++i) {
    rates = std::max({rates, std::abs(df_[i]), std::abs(da_[i])});
  }
  return rate < -kNoRate * rates;
}

void DantzigPivoting::change(const Event& event, int driven) {
  if (event.next == RowState::open) {
    states_[event.row] = RowState::open;
    f_[event.row] = 0.0;
    const int friction = problem_->laws[event.row].partner;
    if (friction >= 0 && states_[friction] != RowState::unknown) {
      states_[friction] = RowState::open;
      f_[friction] = 0.0;
    }
  } else if (event.next == RowState::held && event.row != driven) {
    enter(event.row);
  } else {
    states_[event.row] = event.next;
  }
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
      for (double& rate : df_) rate = -rate;
      for (double& rate : da_) rate = -rate;
    }
    const Event event = next_event(row, wanted);
    if (event.row < 0) {
      result_.end = PivotEnd::ray;
      return false;
    }
    move(event.length);
    if (event.row == row && event.next == RowState::unknown) return false;
    changed = event.row;
    before = states_[event.row];
    change(event, row);
    if (event.row == row) return true;
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
