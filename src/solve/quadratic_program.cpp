#include "repose/solve/quadratic_program.h"

#include <algorithm>
#include <limits>

#include "repose/math/dense.h"

namespace repose::solve {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Directions shorter than this share of the row they come from are rounding: the row depends on
/// those already held.
constexpr double kDependent = 1e-11;
constexpr int kTurnsPerRow = 8, kLeastTurns = 100;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

QuadraticSolver::QuadraticSolver(const QuadraticProgram& program) {
  const Index n = program.hessian.rows();
  lower_ = cholesky(program.hessian);
  rows_ = solve_lower(lower_, program.rows);
  free_ = -solve_lower(lower_, program.gradient);
  basis_.resize(n, n);
  upper_.resize(n, n);
}

QuadraticSolution QuadraticSolver::solve(const VectorXd& least, double slack) {
  least_ = least;
  slack_ = slack;
  y_ = free_;
  held_.clear();
  multipliers_ = VectorXd::Zero(rows_.cols());
  QuadraticSolution out;
  const int turns = kLeastTurns + kTurnsPerRow * static_cast<int>(rows_.cols());
  for (int k = 0; k < turns; ++k) {
    const Index p = most_violated();
    if (p < 0) {
      out.feasible = true;
      break;
    }
    if (!take_in(p)) break;
  }
  out.x = lower_.transpose().triangularView<Eigen::Upper>().solve(y_);
  out.multipliers = multipliers_;
  return out;
}

Index QuadraticSolver::most_violated() const {
  Index worst = -1;
  double most = slack_;
  for (Index i = 0; i < rows_.cols(); ++i) {
    if (multipliers_[i] > 0.0) continue;
    const double miss = least_[i] - rows_.col(i).dot(y_);
    if (!(miss > most)) continue;
    if (std::find(held_.begin(), held_.end(), i) != held_.end()) continue;
    most = miss;
    worst = i;
  }
  return worst;
}

/// Gram and Schmidt, twice for the rounding of the first.
void QuadraticSolver::project(const VectorXd& normal) {
  const auto count = static_cast<Index>(held_.size());
  across_ = normal;
  along_.setZero(count);
  for (int pass = 0; pass < 2; ++pass)
    for (Index i = 0; i < count; ++i) {
      const double share = basis_.col(i).dot(across_);
      along_[i] += share;
      across_ -= share * basis_.col(i);
    }
  shares_ = along_;
  for (Index i = count; i-- > 0;) {
    double share = shares_[i];
    for (Index k = i + 1; k < count; ++k) share -= upper_(i, k) * shares_[k];
    shares_[i] = share / upper_(i, i);
  }
}

/// Requires: its normal is projected.
void QuadraticSolver::hold(Index p) {
  const auto count = static_cast<Index>(held_.size());
  const double length = across_.norm();
  upper_.col(count).head(count) = along_;
  upper_(count, count) = length;
  basis_.col(count) = across_ / length;
  held_.push_back(p);
}

void QuadraticSolver::let_go(std::size_t k) {
  const std::vector<Index> after(held_.begin() + static_cast<std::ptrdiff_t>(k) + 1, held_.end());
  held_.resize(k);
  for (const Index p : after) {
    project(rows_.col(p));
    hold(p);
  }
}

/// Steps in primal and dual space until row p holds; rows whose multiplier runs out are let go.
bool QuadraticSolver::take_in(Index p) {
  const VectorXd normal = rows_.col(p);
  double added = 0.0;
  const int turns = kLeastTurns + static_cast<int>(rows_.cols());
  for (int k = 0; k < turns; ++k) {
    project(normal);
    // how far the multipliers of held rows allow
    double dual = kInfinity;
    std::size_t drop = held_.size();
    for (std::size_t i = 0; i < held_.size(); ++i) {
      const double share = shares_[static_cast<Index>(i)];
      if (share <= kDependent) continue;
      const double t = multipliers_[held_[i]] / share;
      if (t < dual) {
        dual = t;
        drop = i;
      }
    }
    const bool dependent = static_cast<Index>(held_.size()) == rows_.rows() ||
                           across_.norm() <= kDependent * normal.norm() * kLeastTurns;
    const double miss = least_[p] - normal.dot(y_);
    const double primal = dependent ? kInfinity : miss / across_.squaredNorm();
    const double t = std::min(dual, primal);
    if (t == kInfinity) return false;
    for (std::size_t i = 0; i < held_.size(); ++i)
      multipliers_[held_[i]] =
          std::max(0.0, multipliers_[held_[i]] - t * shares_[static_cast<Index>(i)]);
    added += t;
    if (!dependent) y_ += t * across_;
    if (t == primal) {
      hold(p);
      multipliers_[p] = added;
      return true;
    }
    multipliers_[held_[drop]] = 0.0;
    let_go(drop);
  }
  return false;
}

QuadraticSolution solve_quadratic(const QuadraticProgram& program, double slack) {
  return QuadraticSolver(program).solve(program.least, slack);
}

}  // namespace repose::solve
