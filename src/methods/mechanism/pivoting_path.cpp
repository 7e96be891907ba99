#include "pivoting_path.h"

#include <algorithm>
#include <cmath>

namespace repose::mechanism {
namespace {

/// Accelerations and slacks below this share of the largest force or acceleration are rounding.
constexpr double kZero = 1e-12;
/// Rates below this share of the largest do not end a stretch.
constexpr double kNoRate = 1e-12;

}  // namespace

void PivotPath::resize(int rows) {
  f_.assign(rows, 0.0);
  a_.assign(rows, 0.0);
  df_.assign(rows, 0.0);
  da_.assign(rows, 0.0);
  size_ = 0.0;
}

double PivotPath::tolerance() const {
  return kZero * size_;
}

double PivotPath::largest_rate() const {
  double largest = 0.0;
  for (std::size_t i = 0; i < df_.size(); ++i) {
    largest = std::max({largest, std::abs(df_[i]), std::abs(da_[i])});
  }
  return largest;
}

bool PivotPath::rates_are_finite() const {
  return std::all_of(da_.begin(), da_.end(), [](double rate) { return std::isfinite(rate); });
}

bool PivotPath::sooner(const Event& best, double length, double rate) const {
  if (length < best.length * (1.0 - kZero)) return true;
  // a search that takes long may be going round: then the least index wins among equals
  const bool going_round = result_.pivots > max_pivots_ / 2;
  return !going_round && length <= best.length * (1.0 + kZero) && rate > best.rate;
}

void PivotPath::offer(Event& best, double slack, double rate, int row, RowState next) const {
  if (!(rate > 0.0)) return;
  const double length = std::max(0.0, slack) / rate;
  if (sooner(best, length, rate)) best = {length, row, next, rate};
}

void PivotPath::offer_held(Event& best, int row) const {
  const RowLaw& law = problem_->laws[row];
  const double df = df_[row];
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

void PivotPath::offer_limit(Event& best, int row) const {
  const RowLaw& law = problem_->laws[row];
  if (law.slides) return;
  const RowState state = states_[row];
  const bool idle = state == RowState::open && law.kind != RowKind::normal;
  if (state == RowState::at_high) {
    offer(best, -a_[row], da_[row], row, RowState::held);
  } else if (state != RowState::unknown && !idle) {
    offer(best, a_[row], -da_[row], row, RowState::held);
  }
}

PivotPath::Event PivotPath::next_event(const Event& end, int except) const {
  const double still = kNoRate * largest_rate();
  Event best = end;
  for (int i = 0; i < problem_->rows(); ++i) {
    if (i == except || states_[i] == RowState::unknown) continue;
    Event candidate;
    if (states_[i] == RowState::held) {
      offer_held(candidate, i);
    } else {
      offer_limit(candidate, i);
    }
    if (candidate.row < 0 || candidate.rate <= still) continue;
    // the path's own end wins among equals
    const bool wins = best.row == end.row ? candidate.length < best.length * (1.0 - kZero)
                                          : sooner(best, candidate.length, candidate.rate);
    if (wins) best = candidate;
  }
  return best;
}

bool PivotPath::folds(int row, RowState before) const {
  const RowLaw& law = problem_->laws[row];
  double rate = 0.0;  // of the slack that was just used up
  if (states_[row] == RowState::held) {
    rate = before == RowState::at_high ? -df_[row] : df_[row];
    if (law.kind == RowKind::friction) rate += law.mu * df_[law.partner];
  } else {
    rate = states_[row] == RowState::at_high ? -da_[row] : da_[row];
  }
  return rate < -kNoRate * largest_rate();
}

void PivotPath::turn_back() {
  for (double& rate : df_) rate = -rate;
  for (double& rate : da_) rate = -rate;
}

void PivotPath::move(double length) {
  for (int i = 0; i < problem_->rows(); ++i) {
    f_[i] += length * df_[i];
    a_[i] += length * da_[i];
    size_ = std::max(size_, std::abs(f_[i]));
  }
}

/// A contact closes: its friction resists the way it is about to slide.
void PivotPath::close(int row) {
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

void PivotPath::change(const Event& event) {
  if (event.next == RowState::held) {
    close(event.row);
    return;
  }
  states_[event.row] = event.next;
  if (event.next != RowState::open) return;
  f_[event.row] = 0.0;
  const int friction = problem_->laws[event.row].partner;
  if (friction >= 0 && states_[friction] != RowState::unknown) {
    states_[friction] = RowState::open;
    f_[friction] = 0.0;
  }
}

void PivotPath::follow_rates(int except) {
  for (int i = 0; i < problem_->rows(); ++i) {
    const RowLaw& law = problem_->laws[i];
    if (law.kind != RowKind::friction || i == except || states_[i] == RowState::held) continue;
    df_[i] = side_of(states_[i]) * law.mu * df_[law.partner];
  }
}

}  // namespace repose::mechanism
