#include "repose/solve/linear_program.h"

#include <algorithm>
#include <cmath>

#include "interior_point.h"

namespace repose::solve {

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

void add_quadratic(const LinearProgram& lp, std::span<const double> x, std::span<double> y) {
  for (const QuadraticEntry& q : lp.quadratic) {
    y[q.row] += q.value * x[q.column];
    if (q.row != q.column) y[q.column] += q.value * x[q.row];
  }
}

LpResiduals residuals_of(const LinearProgram& lp, std::span<const double> x,
                         std::span<const double> y) {
  LpResiduals out;
  double largest_x = 0.0, largest_cost = 0.0, primal = 0.0, dual = 0.0, square = 0.0;
  std::vector<double> balance(lp.cost), bent(lp.cost.size(), 0.0);
  add_quadratic(lp, x, bent);
  double curved = 0.0;
  for (std::size_t i = 0; i < balance.size(); ++i) {
    largest_x = std::max(largest_x, std::fabs(x[i]));
    largest_cost = std::max(largest_cost, std::fabs(lp.cost[i]));
    primal += lp.cost[i] * x[i];
    square += x[i] * x[i];
    balance[i] += lp.proximal * x[i] + bent[i];
    curved += x[i] * bent[i];
  }
  for (int k = 0; k < lp.rows(); ++k) {
    double length = 0.0;
    for (int e = lp.row_start[k]; e < lp.row_start[k + 1]; ++e) {
      length += lp.value[e] * lp.value[e];
      balance[lp.column[e]] -= lp.value[e] * y[k];
    }
    const double size = std::sqrt(length) * (1.0 + largest_x) + std::fabs(lp.bound[k]);
    out.primal = std::max(out.primal, (lp.bound[k] - lp.row_times(k, x)) / std::max(size, 1.0));
    out.dual = std::max(out.dual, -y[k] / (1.0 + largest_cost));
    dual += lp.bound[k] * y[k];
  }
  for (const double b : balance) out.dual = std::max(out.dual, std::fabs(b) / (1.0 + largest_cost));
  primal += 0.5 * (lp.proximal * square + curved);
  dual -= 0.5 * (lp.proximal * square + curved);
  out.gap = std::fabs(primal - dual) / (1.0 + std::fabs(primal));
  return out;
}

}  // namespace repose::solve
