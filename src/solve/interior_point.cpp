#include "interior_point.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "repose/base/stage_clock.h"

namespace repose::solve {
namespace {

/// Part of the way to the nearest bound that a step goes.
constexpr double kStepFraction = 0.995;
/// Centrality correctors: how many, which products they aim at over the centre, for which sum of
/// steps none is needed, how much longer a step they aim at and what they must win.
constexpr double kProductLow = 0.1;
constexpr double kProductHigh = 30.0;
constexpr int kCorrectors = 2;
constexpr double kLongSteps = 1.9;
constexpr double kLonger = 0.2;
constexpr double kWorthwhile = 0.02;
/// A step shorter than this says that the iteration has lost its way.
constexpr double kTinyStep = 1e-10;
/// Relative residual of the Newton system beyond which it is refined.
constexpr double kRefineAbove = 1e-10;
constexpr int kMaxRefinements = 3;
/// ... and below which other right sides need not be looked at.
constexpr double kExactBelow = 1e-13;
/// Bounds the multiplier-to-slack ratio so that late matrices keep their curvature in doubles: the
/// second where the first does not arrive, or an iteration leaves more than that of the distance.
constexpr double kSlow = 0.5;
constexpr double kLargestRatio = 1e13;
constexpr double kUtmostRatio = 1e16;

}  // namespace

/// y/s is bounded by giving: a row yields by the change of its multiplier over the largest ratio
/// (A dx + dy / largest - ds = -residual, a proximal term of the multipliers). Rows that leave no
/// room between them, such as those of balls that fit their box exactly, then keep multipliers that
/// doubles hold; with the last change of a multiplier the yielding is gone.
void InteriorPoint::weigh_rows() {
  ratio_.resize(rows_.size());
  inverse_slack_.resize(rows_.size());
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    inverse_slack_[k] = 1.0 / (s_[k] + y_[k] / largest_ratio_);
    ratio_[k] = y_[k] * inverse_slack_[k];
  }
}

/// K + rho I + A' Y/S A, factored.
bool InteriorPoint::factor() {
  const StageScope timed("lp_factor");
  factor_is_exact_ = false;
  weigh_rows();
  cholesky_.clear();
  double* h = cholesky_.values().data();
  const std::int64_t* place = places_.data();
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const double weight = ratio_[k];
    for (int e = entry_start_[k]; e < entry_start_[k + 1]; ++e) {
      const double scaled = weight * value_[e];
      for (int f = entry_start_[k]; f <= e; ++f) h[*place++] += scaled * value_[f];
    }
  }
  if (proximal_ > 0.0)
    for (int i = 0; i < static_cast<int>(x_.size()); ++i) h[cholesky_.place(i, i)] += proximal_;
  for (std::size_t e = 0; e < quadratic_places_.size(); ++e)
    h[quadratic_places_[e]] += program_->quadratic[e].value;
  return cholesky_.factor();
}

/// Solves with the factor and, where that is not exact, refines against the matrix itself. The
/// first solve with a factor tells whether it is exact.
void InteriorPoint::solve_refined(std::vector<double>& b) {
  const StageScope timed("lp_solve");
  work_columns_ = b;
  const double size = largest(b);
  cholesky_.solve(b);
  if (factor_is_exact_) return;
  for (int round = 0; round < kMaxRefinements; ++round) {
    std::vector<double>& r = work_solve_;
    r = work_columns_;
    bent_.assign(b.size(), 0.0);
    add_quadratic(*program_, b, bent_);
    for (std::size_t i = 0; i < b.size(); ++i) r[i] -= proximal_ * b[i] + bent_[i];
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      double ab = 0.0;
      for (int e = entry_start_[k]; e < entry_start_[k + 1]; ++e) ab += value_[e] * b[column_[e]];
      ab *= ratio_[k];
      for (int e = entry_start_[k]; e < entry_start_[k + 1]; ++e) r[column_[e]] -= value_[e] * ab;
    }
    if (largest(r) <= kRefineAbove * size) {
      factor_is_exact_ = largest(r) <= kExactBelow * size;
      return;
    }
    cholesky_.solve(r);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] += r[i];
  }
}

/// The direction towards s y = target (by row), A x - s = b and a vanishing dual residual.
void InteriorPoint::newton(const std::vector<double>& target) {
  std::vector<double>& right = dx_;
  right.resize(x_.size());
  for (std::size_t i = 0; i < right.size(); ++i) right[i] = -dual_residual_[i];
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const double push = target[k] * inverse_slack_[k] - ratio_[k] * (primal_residual_[k] + s_[k]);
    for (int e = entry_start_[k]; e < entry_start_[k + 1]; ++e)
      right[column_[e]] += value_[e] * push;
  }
  solve_refined(right);
  ds_.resize(rows_.size());
  dy_.resize(rows_.size());
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    double adx = 0.0;
    for (int e = entry_start_[k]; e < entry_start_[k + 1]; ++e) adx += value_[e] * dx_[column_[e]];
    const double wanted = adx + primal_residual_[k];
    dy_[k] = target[k] * inverse_slack_[k] - ratio_[k] * (wanted + s_[k]);
    ds_[k] = wanted + dy_[k] / largest_ratio_;
  }
}

InteriorPoint::Steps InteriorPoint::longest_steps(double keep) const {
  double primal = 1.0 / keep, dual = 1.0 / keep;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    if (ds_[k] < 0.0) primal = std::min(primal, -s_[k] / ds_[k]);
    if (dy_[k] < 0.0) dual = std::min(dual, -y_[k] / dy_[k]);
  }
  return {std::min(1.0, keep * primal), std::min(1.0, keep * dual)};
}

/// Multiple centrality correctors (Gondzio 1996): products that a somewhat longer step would bring
/// far from the centre are aimed back, with the factor at hand, as long as that lengthens the step.
InteriorPoint::Steps InteriorPoint::improve_centrality(Steps steps, double center) {
  for (int round = 0; round < correctors_ && steps.primal + steps.dual < kLongSteps; ++round) {
    const Steps wanted{std::min(1.0, steps.primal + kLonger), std::min(1.0, steps.dual + kLonger)};
    kept_dx_ = dx_;
    kept_ds_ = ds_;
    kept_dy_ = dy_;
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      const double product = (s_[k] + wanted.primal * ds_[k]) * (y_[k] + wanted.dual * dy_[k]);
      const double low = kProductLow * center, high = kProductHigh * center;
      target_[k] += std::max(std::clamp(product, low, high) - product, -high);
    }
    newton(target_);
    const Steps longer = longest_steps(kStepFraction);
    if (longer.primal + longer.dual < steps.primal + steps.dual + kWorthwhile) {
      dx_.swap(kept_dx_);
      ds_.swap(kept_ds_);
      dy_.swap(kept_dy_);
      break;
    }
    steps = longer;
  }
  return steps;
}

/// One predictor-corrector step. False when the numbers no longer allow one.
bool InteriorPoint::iterate() {
  if (!factor()) return false;
  const std::size_t count = rows_.size();
  target_.assign(count, 0.0);
  newton(target_);
  const Steps affine = longest_steps(1.0);
  double affine_mu = 0.0;
  for (std::size_t k = 0; k < count; ++k)
    affine_mu += (s_[k] + affine.primal * ds_[k]) * (y_[k] + affine.dual * dy_[k]);
  affine_mu /= static_cast<double>(count);
  const double ratio = affine_mu / mu_;
  const double center = ratio * ratio * ratio * mu_;
  for (std::size_t k = 0; k < count; ++k) target_[k] = center - ds_[k] * dy_[k];
  newton(target_);
  const Steps steps = improve_centrality(longest_steps(kStepFraction), center);
  if (!(std::max(steps.primal, steps.dual) > kTinyStep)) return false;
  for (std::size_t i = 0; i < x_.size(); ++i) x_[i] += steps.primal * dx_[i];
  for (std::size_t k = 0; k < count; ++k) {
    s_[k] += steps.primal * ds_[k];
    y_[k] += steps.dual * dy_[k];
  }
  return std::isfinite(largest(x_)) && std::isfinite(largest(y_));
}

/// True if the iterate arrived within the settings.
bool InteriorPoint::run(const LinearProgram& lp, const LpSettings& settings, const LpStart& start) {
  load(lp, start);
  analyze();
  if (!start_point(start)) return false;
  measure();
  find_near(x_);
  if (take_near(-settings.feasibility)) measure();
  best_distance_ = std::numeric_limits<double>::infinity();
  double before = best_distance_;
  for (iterations_ = 0; iterations_ < settings.max_iterations; ++iterations_) {
    const double left = distance(settings);
    if (left <= 1.0) return true;
    if (!keep_best(left)) break;
    if (left > kSlow * before && largest_ratio_ < kUtmostRatio) largest_ratio_ = kUtmostRatio;
    before = left;
    if (take_near(std::numeric_limits<double>::infinity())) measure();
    analyze();
    if (!iterate()) break;
    find_near(x_);
    if (take_near(-settings.feasibility)) best_distance_ = std::numeric_limits<double>::infinity();
    measure();
  }
  if (std::isfinite(best_distance_)) restore_best();
  return false;
}

LpSolution InteriorPoint::answer(const LinearProgram& lp) const {
  LpSolution out;
  out.x = x_;
  out.y.assign(static_cast<std::size_t>(lp.rows()), 0.0);
  for (std::size_t k = 0; k < rows_.size(); ++k) out.y[rows_[k]] = y_[k] * row_scale_[k];
  out.objective = objective_;
  out.iterations = iterations_;
  out.rows_used = static_cast<int>(rows_.size());
  return out;
}

LpSolution InteriorPoint::solve(const LinearProgram& lp, const LpSettings& settings,
                                const LpStart& start) {
  correctors_ = kCorrectors;
  largest_ratio_ = kLargestRatio;
  bool done = run(lp, settings, start);
  if (!done) {
    // the plain iteration takes other steps and may arrive where this one did not
    correctors_ = 0;
    largest_ratio_ = kUtmostRatio;
    done = run(lp, settings, start);
  }
  LpSolution out = answer(lp);
  if (done) {
    out.status = LpStatus::optimal;
    return out;
  }
  if (start.zero_is_feasible) return out;
  return classify(lp, settings, std::move(out));
}

}  // namespace repose::solve
