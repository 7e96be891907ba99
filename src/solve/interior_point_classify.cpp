#include <algorithm>
#include <cmath>
#include <numeric>

#include "interior_point.h"

namespace repose::solve {
namespace {

double norm(const LinearProgram& lp, int row) {
  double square = 0.0;
  for (int e = lp.row_start[row]; e < lp.row_start[row + 1]; ++e)
    square += lp.value[e] * lp.value[e];
  return std::sqrt(square);
}

/// minimise t, a.x + |a| t >= b, t >= 0: always feasible and bounded; t is the least worst
/// violation.
LinearProgram least_violation(const LinearProgram& lp) {
  LinearProgram out;
  const int t = lp.variables();
  out.cost.assign(static_cast<std::size_t>(t) + 1, 0.0);
  out.cost[t] = 1.0;
  if (!lp.block_start.empty()) {
    out.block_start = lp.block_start;
    out.block_start.push_back(t + 1);
  }
  for (int k = 0; k < lp.rows(); ++k) {
    for (int e = lp.row_start[k]; e < lp.row_start[k + 1]; ++e)
      out.add_entry(lp.column[e], lp.value[e]);
    out.add_entry(t, std::max(norm(lp, k), 1.0));
    out.end_row(lp.bound[k]);
  }
  out.add_entry(t, 1.0);
  out.end_row(0.0);
  return out;
}

/// minimise c.d, a.d >= 0, |d_i| <= 1: below zero only if the objective falls along d for ever.
LinearProgram steepest_ray(const LinearProgram& lp) {
  LinearProgram out = lp;
  out.quadratic.clear();
  std::fill(out.bound.begin(), out.bound.end(), 0.0);
  for (int i = 0; i < lp.variables(); ++i)
    for (const double side : {1.0, -1.0}) {
      out.add_entry(i, side);
      out.end_row(-1.0);
    }
  return out;
}

}  // namespace

namespace {
/// Relative gap to which the two helping programs are solved at least.
constexpr double kHelperGap = 1e-9;
}  // namespace

/// The plain iteration did not arrive: two programs that always have an optimum tell why.
LpSolution InteriorPoint::classify(const LinearProgram& lp, const LpSettings& settings,
                                   LpSolution best) {
  LpSettings tight = settings;
  tight.gap_fraction = std::min(settings.gap_fraction, kHelperGap);
  int iterations = best.iterations;
  const double scale =
      std::accumulate(lp.bound.begin(), lp.bound.end(), 1.0,
                      [](double m, double b) { return std::max(m, std::fabs(b)); });
  const LinearProgram violation = least_violation(lp);
  if (run(violation, tight, {}) && objective_ > settings.feasibility * scale * 10.0) {
    LpSolution out = answer(violation);
    out.status = LpStatus::infeasible;
    out.x.pop_back();
    out.y.pop_back();
    out.iterations += iterations;
    return out;
  }
  iterations += iterations_;
  if (lp.proximal == 0.0 && lp.quadratic.empty()) {
    const LinearProgram ray = steepest_ray(lp);
    if (run(ray, tight, {}) && objective_ < -settings.feasibility * 10.0) {
      LpSolution out = answer(ray);
      out.status = LpStatus::unbounded;
      out.y.resize(static_cast<std::size_t>(lp.rows()));
      out.iterations += iterations;
      return out;
    }
    iterations += iterations_;
  }
  best.iterations = iterations;
  return best;
}

}  // namespace repose::solve
