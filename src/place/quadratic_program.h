#pragma once

#include <Eigen/Dense>

namespace repose::place {

/// min g.x + x.H x / 2 with rows.col(i).x >= least[i]; H symmetric positive definite.
struct QuadraticProgram {
  Eigen::MatrixXd hessian;
  Eigen::VectorXd gradient;
  Eigen::MatrixXd rows;  // one column each
  Eigen::VectorXd least;
};

struct QuadraticSolution {
  Eigen::VectorXd x;
  Eigen::VectorXd multipliers;  // by row, >= 0
  bool feasible = false;        // false: the rows contradict each other, or no end was found
};

/// Dual active-set method of Goldfarb and Idnani (1983): starts at the free minimum and takes in
/// one violated row after the other. `slack`: violations up to this are none.
QuadraticSolution solve(const QuadraticProgram& program, double slack);

}  // namespace repose::place
