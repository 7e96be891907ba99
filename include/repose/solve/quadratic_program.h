#pragma once

#include <vector>

#include <Eigen/Dense>

namespace repose::solve {

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
/// one violated row after the other. Prepared once, it serves programs that differ in `least`
/// alone.
class QuadraticSolver {
 public:
  explicit QuadraticSolver(const QuadraticProgram& program);

  /// `slack`: violations up to this are none.
  QuadraticSolution solve(const Eigen::VectorXd& least, double slack);

 private:
  Eigen::Index most_violated() const;
  bool take_in(Eigen::Index p);
  void hold(Eigen::Index p);
  void let_go(std::size_t k);
  void project(const Eigen::VectorXd& normal);

  Eigen::MatrixXd lower_;  // H = L L^T
  Eigen::MatrixXd rows_;   // in the coordinates y = L^T x, in which the Hessian is the identity
  Eigen::VectorXd free_;   // minimum without rows
  Eigen::VectorXd least_, y_, multipliers_;
  double slack_ = 0.0;
  std::vector<Eigen::Index> held_;
  // the held rows are basis_ * upper_, one column each; basis_ is orthonormal
  Eigen::MatrixXd basis_, upper_;
  // of the row that is taken in: its part across the held ones, its shares of the basis, of them
  Eigen::VectorXd across_, along_, shares_;
};

QuadraticSolution solve_quadratic(const QuadraticProgram& program, double slack);

}  // namespace repose::solve
