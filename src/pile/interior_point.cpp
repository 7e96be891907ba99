#include "interior_point.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "repose/base/stage_clock.h"

namespace repose::pile {
namespace {

/// Part of the way to the nearest bound that a step goes.
constexpr double kStepFraction = 0.995;
/// Slack and multiplier of a touching row at the start when x = 0 is feasible: the problem's units
/// are one body's radius and weight. The slack is less where the answer is expected nearby.
constexpr double kTouchingSlack = 0.1;
constexpr double kLeastSlack = 5e-3;
constexpr double kSlackOfWay = 0.3;  // over the way expected
constexpr double kTouchingForce = 2.0;
/// A known multiplier makes a start product at most this much larger.
constexpr double kProductHigh = 30.0;
/// Centrality correctors: how many, for which sum of steps none is needed, how much longer a step
/// they aim at and what they must win.
constexpr double kProductLow = 0.1;
constexpr int kCorrectors = 2;
constexpr double kLongSteps = 1.9;
constexpr double kLonger = 0.2;
constexpr double kWorthwhile = 0.02;
/// A step shorter than this says that the iteration has lost its way.
constexpr double kTinyStep = 1e-10;
/// Relative residual of the Newton system beyond which it is refined.
constexpr double kRefineAbove = 1e-10;
constexpr int kMaxRefinements = 3;
/// Iterations without progress after which the best iterate is taken.
constexpr int kPatience = 12;
/// Dual residual allowed beside a loose gap, as a share of that gap.
constexpr double kLooseDual = 1e-2;
/// Bounds the multiplier-to-slack ratio so that late matrices keep their curvature in doubles: the
/// second where the first does not arrive, or an iteration leaves more than that of the distance.
constexpr double kSlow = 0.5;
constexpr double kLargestRatio = 1e13;
constexpr double kUtmostRatio = 1e16;

}  // namespace

const char* to_text(LpStatus status) {
  switch (status) {
    case LpStatus::optimal:
      return "optimal";
    case LpStatus::infeasible:
      return "infeasible";
    case LpStatus::unbounded:
      return "unbounded";
    case LpStatus::stalled:
      break;
  }
  return "stalled";
}

std::unique_ptr<LpSolver> make_interior_point() {
  return std::make_unique<InteriorPoint>();
}

/// Residuals, complementarity and objective of the iterate.
void InteriorPoint::measure() {
  const std::size_t count = rows_.size();
  primal_residual_.resize(count);
  dual_residual_.resize(x_.size());
  objective_ = 0.0;
  bent_.assign(x_.size(), 0.0);
  add_quadratic(*program_, x_, bent_);
  double square = 0.0;
  for (std::size_t i = 0; i < x_.size(); ++i) {
    bent_[i] += proximal_ * x_[i];
    dual_residual_[i] = cost_[i] + bent_[i];
    objective_ += cost_[i] * x_[i];
    square += bent_[i] * x_[i];
  }
  objective_ += 0.5 * square;
  mu_ = 0.0;
  violation_ = 0.0;
  for (std::size_t k = 0; k < count; ++k) {
    double ax = 0.0;
    for (int e = entry_start_[k]; e < entry_start_[k + 1]; ++e) {
      ax += value_[e] * x_[column_[e]];
      dual_residual_[column_[e]] -= value_[e] * y_[k];
    }
    const double slack = ax - bound_[k];
    primal_residual_[k] = slack - s_[k];
    violation_ = std::max(violation_, -slack);
    mu_ += s_[k] * y_[k];
  }
  primal_error_ = largest(primal_residual_);
  dual_error_ = largest(dual_residual_);
  if (count > 0) mu_ /= static_cast<double>(count);
}

/// How far the iterate is from what the settings ask; at most 1 when it has arrived.
double InteriorPoint::distance(const LpSettings& settings) const {
  const double gap = mu_ * static_cast<double>(rows_.size());
  const double gap_allowed =
      std::max(settings.gap_floor, settings.gap_fraction * std::fabs(objective_));
  const double dual_allowed =
      std::max(settings.dual_feasibility, kLooseDual * settings.gap_fraction) *
      std::max(1.0, cost_size_);
  const double left =
      violation_ / settings.feasibility + dual_error_ / dual_allowed + gap / gap_allowed;
  if (!std::isfinite(left) || !std::isfinite(gap_allowed))
    return std::numeric_limits<double>::infinity();
  return std::max(
      {violation_ / settings.feasibility, dual_error_ / dual_allowed, gap / gap_allowed});
}

/// Keeps the best iterate; false once the iteration has long moved away from it.
bool InteriorPoint::keep_best(double distance) {
  if (distance < best_distance_) {
    best_distance_ = distance;
    best_iteration_ = iterations_;
    best_x_ = x_;
    best_s_ = s_;
    best_y_ = y_;
    return true;
  }
  return iterations_ - best_iteration_ < kPatience;
}

/// Goes back to the best iterate.
void InteriorPoint::restore_best() {
  x_ = best_x_;
  std::copy(best_s_.begin(), best_s_.end(), s_.begin());
  std::copy(best_y_.begin(), best_y_.end(), y_.begin());
  measure();
}

/// y/s, bounded: the dual residual is then solved for exactly, the product of a bounded row nearly.
double InteriorPoint::ratio(std::size_t row) const {
  return std::min(y_[row] / s_[row], largest_ratio_);
}

/// K + rho I + A' Y/S A, factored.
bool InteriorPoint::factor() {
  const StageScope timed("lp_factor");
  cholesky_.clear();
  double* h = cholesky_.values().data();
  const std::int64_t* place = places_.data();
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const double weight = ratio(k);
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

/// Solves with the factor and, where that is not exact, refines against the matrix itself.
void InteriorPoint::solve_refined(std::vector<double>& b) {
  const StageScope timed("lp_solve");
  work_columns_ = b;
  const double size = largest(b);
  cholesky_.solve(b);
  for (int round = 0; round < kMaxRefinements; ++round) {
    std::vector<double>& r = work_solve_;
    r = work_columns_;
    bent_.assign(b.size(), 0.0);
    add_quadratic(*program_, b, bent_);
    for (std::size_t i = 0; i < b.size(); ++i) r[i] -= proximal_ * b[i] + bent_[i];
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      double ab = 0.0;
      for (int e = entry_start_[k]; e < entry_start_[k + 1]; ++e) ab += value_[e] * b[column_[e]];
      ab *= ratio(k);
      for (int e = entry_start_[k]; e < entry_start_[k + 1]; ++e) r[column_[e]] -= value_[e] * ab;
    }
    if (largest(r) <= kRefineAbove * size) return;
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
    const double push = target[k] / s_[k] - ratio(k) * primal_residual_[k] - y_[k];
    for (int e = entry_start_[k]; e < entry_start_[k + 1]; ++e)
      right[column_[e]] += value_[e] * push;
  }
  solve_refined(right);
  ds_.resize(rows_.size());
  dy_.resize(rows_.size());
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    double adx = 0.0;
    for (int e = entry_start_[k]; e < entry_start_[k + 1]; ++e) adx += value_[e] * dx_[column_[e]];
    ds_[k] = adx + primal_residual_[k];
    dy_[k] = target[k] / s_[k] - ratio(k) * ds_[k] - y_[k];
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
  best_distance_ = std::numeric_limits<double>::infinity();
  double before = best_distance_;
  for (iterations_ = 0; iterations_ < settings.max_iterations; ++iterations_) {
    const double left = distance(settings);
    if (left <= 1.0 && !take_violated(lp, settings.feasibility)) return true;
    if (!keep_best(left)) break;
    if (left > kSlow * before && largest_ratio_ < kUtmostRatio) largest_ratio_ = kUtmostRatio;
    before = left;
    if (pattern_changed_) {
      analyze();
      measure();
    }
    if (!iterate()) break;
    if (take_violated(lp, settings.feasibility))
      best_distance_ = std::numeric_limits<double>::infinity();
    measure();
  }
  if (std::isfinite(best_distance_)) restore_best();
  return false;
}

/// x = 0 with slacks and multipliers near what is known, their products near one common value.
void InteriorPoint::warm_point(const LpStart& start) {
  const double slack = start.expected_way > 0.0 ? std::clamp(kSlackOfWay * start.expected_way,
                                                             kLeastSlack, kTouchingSlack)
                                                : kTouchingSlack;
  const double product = kTouchingForce * slack;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const double known =
        start.multipliers.empty() ? 0.0 : start.multipliers[rows_[k]] / row_scale_[k];
    s_[k] = std::max(-bound_[k], slack);
    y_[k] = std::clamp(known, product / s_[k], kProductHigh * product / s_[k]);
  }
}

bool InteriorPoint::start_point(const LpStart& start) {
  const std::size_t count = rows_.size();
  s_.resize(count);
  y_.resize(count);
  if (start.zero_is_feasible) {
    warm_point(start);
    return true;
  }
  // least squares with all ratios 1: x close to every bound, y close to balancing the cost
  s_.assign(count, 1.0);
  y_.assign(count, 1.0);
  if (!factor()) return false;
  std::vector<double> x(x_.size(), 0.0), z = cost_;
  for (std::size_t k = 0; k < count; ++k)
    for (int e = entry_start_[k]; e < entry_start_[k + 1]; ++e)
      x[column_[e]] += value_[e] * bound_[k];
  solve_refined(x);
  solve_refined(z);
  x_ = x;
  double shift_s = 0.0, shift_y = 0.0;
  for (std::size_t k = 0; k < count; ++k) {
    s_[k] = -bound_[k];
    y_[k] = 0.0;
    for (int e = entry_start_[k]; e < entry_start_[k + 1]; ++e) {
      s_[k] += value_[e] * x[column_[e]];
      y_[k] += value_[e] * z[column_[e]];
    }
    shift_s = std::max(shift_s, -1.5 * s_[k]);
    shift_y = std::max(shift_y, -1.5 * y_[k]);
  }
  // Mehrotra's shifts: positive, and neither factor of the products vanishing
  double product = 0.0, sum_s = 0.0, sum_y = 0.0;
  for (std::size_t k = 0; k < count; ++k) {
    product += (s_[k] + shift_s) * (y_[k] + shift_y);
    sum_s += s_[k] + shift_s;
    sum_y += y_[k] + shift_y;
  }
  shift_s += sum_y > 0.0 ? 0.5 * product / sum_y : 1.0;
  shift_y += sum_s > 0.0 ? 0.5 * product / sum_s : 1.0;
  for (std::size_t k = 0; k < count; ++k) {
    s_[k] = std::max(s_[k] + shift_s, kTouchingSlack);
    y_[k] = std::max(y_[k] + shift_y, kTouchingSlack);
  }
  return true;
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

}  // namespace repose::pile
