#include "pivoting_block.h"

#include <algorithm>
#include <cmath>

namespace repose::mechanism {
namespace {

/// Violations below this share of the largest force or acceleration are rounding.
constexpr double kZero = 1e-12;
/// Where the continuation starts (A_ii = 1) and by how much each of its stages is smaller.
constexpr double kFirstProximal = 1.0;
constexpr double kProximalRatio = 0.1;
/// Rounds of one search, and rounds without fewer violations before rows change one by one.
constexpr int kPlainRounds = 12;
constexpr int kStageRounds = 40;
constexpr int kPatience = 6;
/// Solves of each linear system: the second removes the rounding that a small proximal term
/// magnifies.
constexpr int kRefinements = 2;

}  // namespace

void read_states(const ScaledProblem& problem, std::span<const double> f, std::span<const double> a,
                 States& states) {
  states.resize(f.size());
  for (int i = 0; i < problem.rows(); ++i) {
    const RowLaw& law = problem.laws[i];
    double low = law.low, high = law.high;
    if (law.kind == RowKind::friction) {
      high = law.mu * std::max(0.0, f[law.partner]);
      low = -high;
    }
    const RowState below = law.kind == RowKind::normal ? RowState::open : RowState::at_low;
    states[i] = f[i] - low < a[i]     ? below
                : high - f[i] < -a[i] ? RowState::at_high
                                      : RowState::held;
  }
  repair_states(problem, states);
}

bool BlockPivoting::solve(double proximal, std::span<const double> prior, const States& states) {
  f_.assign(prior.begin(), prior.end());
  follow_states(*problem_, states, f_);
  spread_forces(*problem_, f_, y_);
  gather_accelerations(*problem_, y_, a_);
  if (!linear_->factor(states, proximal)) return false;
  for (int pass = 0; pass < kRefinements; ++pass) {
    if (pass > 0) {
      for (const int row : linear_->held()) a_[row] += proximal * (f_[row] - prior[row]);
    }
    linear_->step(a_, f_);
    spread_forces(*problem_, f_, y_);
    gather_accelerations(*problem_, y_, a_);
  }
  return std::all_of(a_.begin(), a_.end(), [](double a) { return std::isfinite(a); });
}

int BlockPivoting::list_changes(double proximal, std::span<const double> prior,
                                const States& states) {
  double size = 0.0;
  for (int i = 0; i < problem_->rows(); ++i) {
    size = std::max({size, std::abs(f_[i]), std::abs(problem_->b[i])});
  }
  const double zero = kZero * size;
  next_ = states;
  for (int i = 0; i < problem_->rows(); ++i) {
    const RowLaw& law = problem_->laws[i];
    if (law.slides) continue;
    const bool friction = law.kind == RowKind::friction;
    if (friction && states[law.partner] == RowState::open) continue;
    const double high = friction ? law.mu * std::max(0.0, f_[law.partner]) : law.high;
    const double low = friction ? -high : law.low;
    const double a = a_[i] + proximal * (f_[i] - prior[i]);
    switch (states[i]) {
      case RowState::held:
        if (f_[i] < low - zero) {
          next_[i] = law.kind == RowKind::normal ? RowState::open : RowState::at_low;
        } else if (f_[i] > high + zero) {
          next_[i] = RowState::at_high;
        }
        break;
      case RowState::at_high:
        if (a > zero) next_[i] = RowState::held;
        break;
      default:  // open, at_low
        if (a < -zero) next_[i] = RowState::held;
    }
  }
  int changes = 0;
  for (int i = 0; i < problem_->rows(); ++i) changes += next_[i] != states[i];
  return changes;
}

bool BlockPivoting::rounds(double proximal, std::span<const double> prior, States& states,
                           int limit) {
  int fewest = problem_->rows() + 1, patience = kPatience;
  for (int round = 0; round < limit; ++round) {
    if (!solve(proximal, prior, states)) return false;
    const int changes = list_changes(proximal, prior, states);
    if (changes == 0) return true;
    patience = changes < fewest ? kPatience : patience - 1;
    fewest = std::min(fewest, changes);
    if (patience > 0) {
      states = next_;
      pivots_ += changes;
    } else {
      const auto first = std::mismatch(states.begin(), states.end(), next_.begin());
      *first.first = *first.second;
      ++pivots_;
    }
    repair_states(*problem_, states);
  }
  return false;
}

void BlockPivoting::begin(const ScaledProblem& problem, PartitionSolver& linear) {
  problem_ = &problem;
  linear_ = &linear;
  pivots_ = 0;
  a_.resize(problem.rows());
}

bool BlockPivoting::search(const ScaledProblem& problem, PartitionSolver& linear, double proximal,
                           std::span<const double> prior, States& states) {
  begin(problem, linear);
  return rounds(proximal, prior, states, kPlainRounds);
}

bool BlockPivoting::search_by_stages(const ScaledProblem& problem, PartitionSolver& linear,
                                     double proximal, std::span<const double> prior,
                                     States& states) {
  begin(problem, linear);
  for (double t = kFirstProximal; t > proximal; t *= kProximalRatio) {
    rounds(t, prior, states, kStageRounds);
  }
  return rounds(proximal, prior, states, kStageRounds);
}

}  // namespace repose::mechanism
