#pragma once

#include <memory>
#include <span>
#include <vector>

#include "repose/solve/sparse_cholesky.h"

namespace repose::solve {

/// An entry of a symmetric matrix, row >= column; it stands for its mirror as well. Entries of the
/// same place add up.
struct QuadraticEntry {
  int row = 0, column = 0;
  double value = 0.0;
};

/// minimise cost . x + x'Kx/2 + proximal/2 |x|^2 subject to rows a . x >= bound. Variables are
/// free; bounds on them are rows. The last term is the conservative term of a step: it keeps what
/// has no reason to move where it is (x = 0). K, positive semidefinite, comes from potentials.
struct LinearProgram {
  std::vector<double> cost;
  std::vector<QuadraticEntry> quadratic;  // K
  /// Variables that belong together (the three of a body): block i holds the variables from
  /// block_start[i] up to block_start[i+1]. Empty: every variable is its own block.
  std::vector<int> block_start;
  std::vector<int> row_start{0};  // row k: entries from row_start[k] up to row_start[k+1]
  std::vector<int> column;
  std::vector<double> value;
  std::vector<double> bound;
  double proximal = 0.0;

  int variables() const { return static_cast<int>(cost.size()); }
  int rows() const { return static_cast<int>(bound.size()); }
  /// Adds an entry to the row that end_row will close.
  void add_entry(int variable, double coefficient) {
    column.push_back(variable);
    value.push_back(coefficient);
  }
  void end_row(double bound_value) {
    row_start.push_back(static_cast<int>(column.size()));
    bound.push_back(bound_value);
  }
  /// a_k . x
  double row_times(int row, std::span<const double> x) const {
    double sum = 0.0;
    for (int e = row_start[row]; e < row_start[row + 1]; ++e) sum += value[e] * x[column[e]];
    return sum;
  }
};

/// optimal: primal, dual and gap verified. infeasible, unbounded: with a verified certificate.
/// stalled: none of these could be shown; x is the best point known.
enum class LpStatus { optimal, infeasible, unbounded, stalled };
const char* to_text(LpStatus status);

struct LpSolution {
  LpStatus status = LpStatus::stalled;
  /// The point; of an unbounded program the ray along which the objective falls for ever.
  std::vector<double> x;
  /// One multiplier per row, >= 0; of an infeasible program the combination of rows that cannot
  /// hold.
  std::vector<double> y;
  double objective = 0.0;
  int iterations = 0;
  int rows_used = 0;  // rows that took part; the others were verified to hold
};

/// How far a claimed optimum is from one, recomputed from the program alone.
struct LpResiduals {
  double primal = 0.0;  // worst row violation over its size: |a| (1 + |x|) + |bound|
  double dual =
      0.0;  // worst |cost + K x + proximal x - A'y| over (1 + |cost|), or negative multiplier
  double gap = 0.0;  // |primal - dual objective| over (1 + |objective|)
};
LpResiduals residuals_of(const LinearProgram& lp, std::span<const double> x,
                         std::span<const double> y);

struct LpSettings {
  /// A solve ends when the gap is at most this fraction of |objective|. (0, 1). Larger: fewer
  /// iterations, less of the possible gain.
  double gap_fraction = 1e-9;
  /// ... or when the gap itself is at most this, in units of the objective. > 0.
  double gap_floor = 1e-10;
  /// Allowed row violation, in the program's units. > 0.
  double feasibility = 1e-9;
  /// Allowed dual residual over the largest cost. > 0.
  double dual_feasibility = 1e-9;
  /// Interior-point iterations, or thousands of simplex pivots. >= 1.
  int max_iterations = 100;
  /// Simplex: stop after this many pivots with the best feasible point; 0: none such limit.
  int max_pivots = 0;
};

/// What is known before the solve. Fields may stay empty.
struct LpStart {
  /// Rows to begin with; the others join when they are violated. Empty: all rows.
  std::span<const int> rows;
  /// x = 0 satisfies every row, up to rounding, and the program is bounded.
  bool zero_is_feasible = false;
  /// Multipliers to begin with, one per row; 0 where nothing is known.
  std::span<const double> multipliers;
  /// Where x = 0 is feasible: how far the answer is expected to go, in the program's units, about;
  /// 0: not known. A start that fits takes fewer iterations.
  double expected_way = 0.0;
  /// The answer as far as it can be guessed; empty: not known. Rows that it comes near take part
  /// at once.
  std::span<const double> guess = {};
};

/// One way of solving linear programs. Holds what is worth keeping between similar solves.
class LpSolver {
 public:
  virtual ~LpSolver() = default;
  virtual LpSolution solve(const LinearProgram& lp, const LpSettings& settings,
                           const LpStart& start) = 0;
  /// All that the bits of the next solve take from earlier ones; null: nothing.
  virtual EliminationPtr elimination() const { return nullptr; }
  /// Goes on as if `kept` were what the last solve left.
  virtual void resume(const EliminationPtr& /*kept*/) {}
};

/// Primal-dual interior point on normal equations, one block per body, with rows added while it
/// runs. The same bits for any number of threads.
std::unique_ptr<LpSolver> make_interior_point();
/// y += K x
void add_quadratic(const LinearProgram& lp, std::span<const double> x, std::span<double> y);

/// Clp's simplex. Refuses quadratic terms (REPOSE_CHECK).
std::unique_ptr<LpSolver> make_simplex();

}  // namespace repose::solve
