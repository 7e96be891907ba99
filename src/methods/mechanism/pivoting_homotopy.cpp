#include "pivoting_homotopy.h"

#include <algorithm>
#include <cmath>

namespace repose::mechanism {
namespace {

/// Solves of each direction: the second removes rounding that a small proximal term magnifies.
constexpr int kRefinements = 2;
/// Acceleration, over the largest |b|, by which a contact is parted at first; each a little
/// differently, so that they do not all close at the same instant.
constexpr double kParting = 1.0;
/// How far behind its beginning a path may run before it is given up.
constexpr double kBehind = 1.0;
}  // namespace

void HomotopyPivoting::begin(const ScaledProblem& problem, PartitionSolver& linear, double proximal,
                             int max_pivots) {
  problem_ = &problem;
  linear_ = &linear;
  proximal_ = proximal;
  max_pivots_ = max_pivots;
  result_ = {};
  s_ = 0.0;
  resize(problem.rows());
}

/// Forces within their ranges.
void HomotopyPivoting::clamp_forces() {
  for (int i = 0; i < problem_->rows(); ++i) {
    const RowLaw& law = problem_->laws[i];
    if (law.kind != RowKind::friction) f_[i] = std::clamp(f_[i], law.low, law.high);
  }
  follow_states(*problem_, states_, f_);
  for (int i = 0; i < problem_->rows(); ++i) {
    const RowLaw& law = problem_->laws[i];
    if (law.kind != RowKind::friction || states_[i] != RowState::held) continue;
    const double limit = law.mu * f_[law.partner];
    f_[i] = std::clamp(f_[i], -limit, limit);
  }
}

/// Chooses b_0 such that states and forces solve it; leaves b - b_0 in db.
void HomotopyPivoting::find_start(std::span<const double> prior, bool parted) {
  const int n = problem_->rows();
  spread_forces(*problem_, f_, y_);
  gather_accelerations(*problem_, y_, a_);
  db_.assign(n, 0.0);
  for (int i = 0; i < n; ++i) {
    const RowLaw& law = problem_->laws[i];
    a_[i] += proximal_ * (f_[i] - prior[i]);
    double wanted = a_[i];
    switch (states_[i]) {
      case RowState::held:
        wanted = 0.0;
        break;
      case RowState::at_high:
        if (!law.slides) wanted = std::min(wanted, 0.0);
        break;
      case RowState::at_low:
        if (!law.slides) wanted = std::max(wanted, 0.0);
        break;
      default: {
        if (law.kind != RowKind::normal) break;
        const double part = kParting * problem_->drive * (1.0 + spread(i));
        if (parted) wanted = std::max(wanted, part);
        if (wanted < 0.0) wanted = part;
      }
    }
    db_[i] = a_[i] - wanted;
    a_[i] = wanted;
    size_ = std::max({size_, std::abs(problem_->b[i]), std::abs(f_[i])});
  }
}

PivotResult HomotopyPivoting::continue_from(const ScaledProblem& problem, PartitionSolver& linear,
                                            double proximal, std::span<const double> prior,
                                            const States& start, std::span<const double> f,
                                            int max_pivots) {
  begin(problem, linear, proximal, max_pivots);
  states_ = start;
  f_.assign(f.begin(), f.end());
  clamp_forces();
  find_start(prior, false);
  return follow();
}

PivotResult HomotopyPivoting::from_scratch(const ScaledProblem& problem, PartitionSolver& linear,
                                           double proximal, std::span<const double> prior,
                                           int max_pivots) {
  begin(problem, linear, proximal, max_pivots);
  states_.assign(problem.rows(), RowState::open);
  for (int i = 0; i < problem.rows(); ++i) {
    if (problem.laws[i].kind == RowKind::bilateral) states_[i] = RowState::held;
  }
  clamp_forces();
  find_start(prior, true);
  return follow();
}

bool HomotopyPivoting::find_direction(double direction) {
  if (!linear_->factor(states_, proximal_)) return false;
  const std::vector<int>& held = linear_->held();
  std::fill(df_.begin(), df_.end(), 0.0);
  for (std::size_t i = 0; i < db_.size(); ++i) da_[i] = direction * db_[i];
  for (int pass = 0; pass < kRefinements; ++pass) {
    rhs_.resize(held.size());
    for (std::size_t k = 0; k < held.size(); ++k) rhs_[k] = -da_[held[k]];
    linear_->solve_held(rhs_);
    for (std::size_t k = 0; k < held.size(); ++k) df_[held[k]] += rhs_[k];
    follow_rates(-1);
    // da = (A + proximal) df + db
    spread_forces(*problem_, df_, y_);
    for (int i = 0; i < problem_->rows(); ++i) {
      const RowGeometry& g = problem_->geometry[i];
      double sum = direction * db_[i] + proximal_ * df_[i];
      for (int c = 0; c < 3; ++c)
        sum += g.part_a[c] * y_[3 * static_cast<std::size_t>(g.body_a) + c];
      for (int c = 0; c < 3; ++c)
        sum += g.part_b[c] * y_[3 * static_cast<std::size_t>(g.body_b) + c];
      da_[i] = sum;
    }
  }
  return rates_are_finite();
}

PivotResult HomotopyPivoting::follow() {
  double direction = 1.0;
  int changed = -1;
  RowState before = RowState::unknown;
  while (result_.pivots < max_pivots_) {
    ++result_.pivots;
    if (!find_direction(direction)) return result_;
    if (changed >= 0 && folds(changed, before)) {
      direction = -direction;
      turn_back();
    }
    Event end;
    end.length = direction > 0.0 ? 1.0 - s_ : s_ + kBehind;
    const Event event = next_event(end, -1);
    move(event.length);
    s_ += direction * event.length;
    if (event.row < 0) {
      if (direction > 0.0) result_.end = PivotEnd::found;
      return result_;
    }
    result_.row = changed = event.row;
    before = states_[event.row];
    change(event);
  }
  return result_;
}

}  // namespace repose::mechanism
