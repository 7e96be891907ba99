#include <algorithm>
#include <cmath>

#include "interior_point.h"

namespace repose::solve {
namespace {

/// Slack and multiplier of a touching row at the start when x = 0 is feasible: the problem's units
/// are one body's radius and weight. The slack is less where the answer is expected nearby.
constexpr double kTouchingSlack = 0.1;
constexpr double kLeastSlack = 5e-3;
constexpr double kSlackOfWay = 0.3;  // over the way expected
constexpr double kTouchingForce = 2.0;
/// A known multiplier makes a start product at most this much larger.
constexpr double kProductHigh = 30.0;

}  // namespace

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

}  // namespace repose::solve
