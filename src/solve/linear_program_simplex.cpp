#include <coin/ClpSimplex.hpp>
#include <coin/CoinPackedMatrix.hpp>

#include "repose/base/check.h"
#include "repose/solve/linear_program.h"

namespace repose::solve {
namespace {

/// Clp's dual simplex, then the primal one to clean up. Clp has called wrong answers
/// optimal: callers verify with residuals_of.
class Simplex : public LpSolver {
 public:
  LpSolution solve(const LinearProgram& lp, const LpSettings& settings,
                   const LpStart& start) override {
    REPOSE_CHECK(lp.proximal == 0.0 && lp.quadratic.empty(),
                 "the simplex method takes linear programs only");
    const int n = lp.variables();
    std::vector<CoinBigIndex> starts(lp.row_start.begin(), lp.row_start.end());
    std::vector<int> lengths(static_cast<std::size_t>(lp.rows()));
    for (int k = 0; k < lp.rows(); ++k) lengths[k] = lp.row_start[k + 1] - lp.row_start[k];
    const CoinPackedMatrix matrix(false, n, lp.rows(), static_cast<int>(lp.column.size()),
                                  lp.value.data(), lp.column.data(), starts.data(), lengths.data());
    std::vector<double> lower(static_cast<std::size_t>(n), -COIN_DBL_MAX);
    std::vector<double> upper(static_cast<std::size_t>(n), COIN_DBL_MAX);
    std::vector<double> no_limit(static_cast<std::size_t>(lp.rows()), COIN_DBL_MAX);
    ClpSimplex clp;
    clp.setLogLevel(0);
    clp.loadProblem(matrix, lower.data(), upper.data(), lp.cost.data(), lp.bound.data(),
                    no_limit.data());
    clp.setPerturbation(100);  // Clp's word for: leave the costs as they are
    clp.setPrimalTolerance(settings.feasibility);
    clp.setDualTolerance(settings.feasibility);
    if (settings.max_pivots > 0) clp.setMaximumIterations(settings.max_pivots);
    // from a feasible point the primal method can be stopped at any time
    if (!(start.zero_is_feasible && settings.max_pivots > 0)) clp.dual();
    clp.primal();
    return read(clp, lp);
  }

 private:
  static LpSolution read(ClpSimplex& clp, const LinearProgram& lp) {
    LpSolution out;
    const int status = clp.status();
    out.x.assign(clp.primalColumnSolution(), clp.primalColumnSolution() + lp.variables());
    out.y.assign(clp.dualRowSolution(), clp.dualRowSolution() + lp.rows());
    out.objective = clp.objectiveValue();
    out.iterations = clp.numberIterations();
    out.rows_used = lp.rows();
    if (status == 0) out.status = LpStatus::optimal;
    if (status == 1) out.status = LpStatus::infeasible;
    if (status == 2) out.status = LpStatus::unbounded;
    return out;
  }
};

}  // namespace

std::unique_ptr<LpSolver> make_simplex() {
  return std::make_unique<Simplex>();
}

}  // namespace repose::solve
