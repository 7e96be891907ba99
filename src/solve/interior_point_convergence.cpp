#include <algorithm>
#include <cmath>
#include <limits>

#include "interior_point.h"

namespace repose::solve {
namespace {

/// Iterations without progress after which the best iterate is taken.
constexpr int kPatience = 12;
/// Dual residual allowed beside a loose gap, as a share of that gap.
constexpr double kLooseDual = 1e-2;

}  // namespace

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

}  // namespace repose::solve
