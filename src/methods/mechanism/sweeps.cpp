#include "sweeps.h"

#include <algorithm>
#include <cmath>

#include "pivoting_linear.h"

namespace repose::mechanism {
namespace {

/// Forces that change by less than this share of the drive are there.
constexpr double kArrived = 1e-15;
/// Forces that change by more than this many times the drive in a sweep are no forces.
constexpr double kEndless = 1e6;

}  // namespace

/// By how much the row's force changed.
double Sweeps::take_in_turn(const ScaledProblem& problem, int row) {
  const RowGeometry& g = problem.geometry[row];
  const RowLaw& law = problem.laws[row];
  double a = problem.b[row];
  for (int c = 0; c < 3; ++c)
    a += g.part_a[c] * y_[3 * g.body_a + c] + g.part_b[c] * y_[3 * g.body_b + c];
  // A_ii = 1
  double wanted = f_[row] - a;
  if (law.slides) {
    wanted = side_of(law.slide_state) * law.mu * f_[law.partner];
  } else if (law.kind == RowKind::normal) {
    wanted = std::max(wanted, 0.0);
  } else if (law.kind == RowKind::friction) {
    const double most = law.mu * f_[law.partner];
    wanted = std::clamp(wanted, -most, most);
  } else {
    wanted = std::clamp(wanted, law.low, law.high);
  }
  const double change = wanted - f_[row];
  f_[row] = wanted;
  for (int c = 0; c < 3; ++c) {
    y_[3 * g.body_a + c] += change * g.part_a[c];
    y_[3 * g.body_b + c] += change * g.part_b[c];
  }
  return std::abs(change);
}

bool Sweeps::run(const ScaledProblem& problem, std::span<const double> f, int most) {
  f_.assign(f.begin(), f.end());
  for (int sweep = 0; sweep < most; ++sweep) {
    // anew in each sweep, so that rounding does not gather
    spread_forces(problem, f_, y_);
    double largest = 0.0;
    for (int row = 0; row < problem.rows(); ++row)
      largest = std::max(largest, take_in_turn(problem, row));
    if (!(largest <= kEndless * problem.drive)) return false;
    if (largest <= kArrived * problem.drive) return true;
  }
  return true;
}

}  // namespace repose::mechanism
