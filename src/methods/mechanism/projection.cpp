#include "projection.h"

#include <algorithm>
#include <cmath>

namespace repose::mechanism {
namespace {

/// Groups up to this many rows are factored dense.
constexpr int kDenseRows = 16;
/// Proximal term over A_ii = 1 for redundant rows, and how often it is driven out.
constexpr double kProximal = 1e-6;
constexpr int kMaxSteps = 4;
/// A step that leaves more than this share of the largest rate is the last.
constexpr double kStalled = 0.5;

double largest_of(const std::vector<double>& values) {
  double out = 0.0;
  for (const double x : values) out = std::max(out, std::abs(x));
  return out;
}

}  // namespace

void Projection::solve_group(const ForceProblem& problem, const RowGroup& group,
                             std::span<const double> magnitude, double share) {
  grouping_.scale(problem, group, scaled_);
  const auto rows = group.rows.size();
  double size = 0.0;
  for (std::size_t k = 0; k < rows; ++k)
    size = std::max(size, magnitude[static_cast<std::size_t>(group.rows[k])] / scaled_.root[k]);
  double worst = largest_of(scaled_.b);
  if (worst <= share * size) return;
  const bool dense = static_cast<int>(rows) <= kDenseRows;
  if (!dense && large_.size() == large_groups_) large_.emplace_back();
  PartitionSolver& linear = dense ? small_ : large_[large_groups_++];
  linear.prepare(scaled_, dense);
  states_.assign(rows, RowState::held);
  if (!linear.factor(states_, kProximal)) return;
  group_f_.assign(rows, 0.0);
  work_.a = scaled_.b;
  for (int step = 0; step < kMaxSteps && worst > share * size; ++step) {
    linear.step(work_.a, group_f_);
    accelerate(scaled_, group_f_, work_);
    const double now = largest_of(work_.a);
    if (!(now <= kStalled * worst)) break;
    worst = now;
  }
  for (std::size_t k = 0; k < rows; ++k)
    f_[static_cast<std::size_t>(group.rows[k])] = group_f_[k] / scaled_.root[k];
}

const std::vector<double>& Projection::solve(const ForceProblem& problem,
                                             std::span<const double> magnitude, double share) {
  f_.assign(problem.rows.size(), 0.0);
  large_groups_ = 0;
  grouping_.split(problem);
  for (int k = 0; k < grouping_.groups(); ++k)
    solve_group(problem, grouping_.group(k), magnitude, share);
  return f_;
}

}  // namespace repose::mechanism
