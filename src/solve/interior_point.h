#pragma once

#include <cstdint>
#include <vector>

#include "repose/solve/linear_program.h"
#include "repose/solve/sparse_cholesky.h"

namespace repose::solve {

/// Largest size of an entry.
double largest(const std::vector<double>& v);

/// The interior-point solver of make_interior_point: Mehrotra's predictor-corrector on
///   minimise c.x + x'Kx/2 + rho/2 |x|^2,  A x - s = b,  s >= 0,  with multipliers y >= 0,
/// in the form  (K + rho I + A' Y/S A) dx = right side.
/// Rows take part once they are named at the start or an iterate comes near them.
class InteriorPoint : public LpSolver {
 public:
  LpSolution solve(const LinearProgram& lp, const LpSettings& settings,
                   const LpStart& start) override;
  EliminationPtr elimination() const override { return cholesky_.elimination(); }
  void resume(const EliminationPtr& kept) override { cholesky_.resume(kept); }

 private:
  struct Steps {
    double primal = 0.0, dual = 0.0;
  };
  /// A row of the program that does not take part: its slack is at least gap - size_a |x_a| -
  /// size_b |x_b|, x_a and x_b the parts of x in its two blocks.
  struct Outside {
    int row = 0, a = 0, b = 0;
    double gap = 0.0, size_a = 0.0, size_b = 0.0;
  };
  /// ... and that an iterate comes near.
  struct Near {
    int row = 0;
    double slack = 0.0;
  };

  // which rows take part: interior_point_rows.cpp
  void load(const LinearProgram& lp, const LpStart& start);
  void load_blocks(const LinearProgram& lp);
  void take_row(int row);
  Outside outside(int row) const;
  void find_near(std::span<const double> x);
  bool take_near(double slack);

  // where they enter the matrix: interior_point_pattern.cpp
  void analyze();
  void place_row(std::size_t row);
  template <class Visit>
  void each_block_pair(std::size_t row, Visit visit) const;
  BlockGraph graph_of_use() const;

  // where the iteration begins: interior_point_start.cpp
  bool start_point(const LpStart& start);
  void warm_point(const LpStart& start);

  // whether it has arrived: interior_point_convergence.cpp
  void measure();
  double distance(const LpSettings& settings) const;
  bool keep_best(double distance);
  void restore_best();

  // the iteration
  bool run(const LinearProgram& lp, const LpSettings& settings, const LpStart& start);
  void weigh_rows();
  bool factor();
  void newton(const std::vector<double>& target);
  void solve_refined(std::vector<double>& b);
  Steps longest_steps(double keep) const;
  bool iterate();
  Steps improve_centrality(Steps steps, double center);
  LpSolution answer(const LinearProgram& lp) const;
  LpSolution classify(const LinearProgram& lp, const LpSettings& settings, LpSolution best);

  SparseCholesky cholesky_;
  std::vector<int> block_start_, block_of_;

  // the program in use: rows of unit length
  std::vector<double> cost_;
  double cost_size_ = 0.0;  // largest |cost|
  double proximal_ = 0.0;
  std::vector<int> rows_;         // index in the program of each row in use
  std::vector<char> in_use_;      // by row of the program
  std::vector<Outside> outside_;  // rows that were not in use at the start of the solve
  std::vector<Near> near_;
  std::vector<double> block_way_;  // |x| by block
  std::vector<double> row_scale_;  // 1 / |a|, by row in use
  std::vector<int> entry_start_, column_;
  std::vector<double> value_, bound_;
  const LinearProgram* program_ = nullptr;  // of the solve under way
  std::vector<std::int64_t> quadratic_places_;
  std::vector<std::int64_t> places_;   // of each product of two entries of a row in the matrix
  std::size_t placed_rows_ = 0;        // rows whose places are known
  bool analyzed_ = false;              // the factorisation knows the rows of this solve
  SparseCholesky::BlockPlace placed_;  // of the last two blocks
  int placed_a_ = -1, placed_b_ = -1;

  // iterate, direction and residuals
  std::vector<double> x_, s_, y_, dx_, ds_, dy_;
  std::vector<double> dual_residual_, primal_residual_, target_;
  std::vector<double> ratio_, inverse_slack_;  // y/s, bounded, and 1/s, as factored
  std::vector<double> work_columns_, work_solve_;
  std::vector<double> bent_;  // K x
  std::vector<double> kept_dx_, kept_ds_, kept_dy_;
  double mu_ = 0.0, primal_error_ = 0.0, violation_ = 0.0, dual_error_ = 0.0, objective_ = 0.0;
  int iterations_ = 0;
  double largest_ratio_ = 0.0;
  bool factor_is_exact_ = false;  // it solved one right side without refinement
  int correctors_ = 0;            // at most, in one iteration
  std::vector<double> best_x_, best_s_, best_y_;
  double best_distance_ = 0.0;
  int best_iteration_ = 0;
};

}  // namespace repose::solve
