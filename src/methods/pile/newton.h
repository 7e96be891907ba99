#pragma once

#include <vector>

#include "descent.h"
#include "drag.h"

namespace repose::pile {

/// The linear system of a descent: the step towards the least of energy minus product times the
/// logarithm of every gap, with a damping of each mover, drag of friction at contacts and the
/// second derivatives of gaps. Rows are those of the step's program.
class Newton {
 public:
  Newton(const Arena& arena, const Placement& at, std::span<const Separation> separations,
         const solve::LinearProgram& lp, std::span<const Trust> trust, double friction,
         solve::SparseCholesky& cholesky, const DescentMemory& memory);

  /// Adds a row of the program between movers a (or -1) and b.
  void take_row(int row, int a, int b, double least_slack);
  /// Factors the matrix and solves for the step.
  void solve();
  const std::vector<double>& step() const { return step_; }
  /// The product that the step aims at: less than asked for where the energy would rise.
  double product() const { return product_; }
  /// The share of the step that leaves every row its part of the slack.
  double longest() const;
  /// Rows that the step would use up more than once push with the force that it gives them in the
  /// next solve; true if there are any.
  bool stiffen();
  /// Contacts that slip beyond their friction drag less in the next solve; answers the largest
  /// force of drag beyond friction, mean weights.
  double loosen();
  std::vector<double> next_multipliers() const;
  /// By separation, of the share of the step that is taken.
  std::vector<double> next_full_slips(double share) const;

 private:
  using Vec12 = Eigen::Matrix<double, 12, 1>;
  using Mat12 = Eigen::Matrix<double, 12, 12>;
  /// A row of the two movers' variables (a's six, then b's), in the program's units.
  struct Row {
    int a = -1, b = -1;
    Vec12 entry = Vec12::Zero();
    double slack = 0.0, multiplier = 0.0;
    double weight = 1.0;  // of the product that it is brought to
    double most = 0.0;    // that it is let push with, mean weights
  };
  /// Rows of the same two movers, side by side.
  struct Group {
    std::size_t first = 0, end = 0;
    int bend = -1;  // its place in bends_; -1: none
  };

  const PointForce* known_force(const Separation& s) const;
  int variable(const Row& row, int k) const;
  double along(const Row& row) const;
  double slip(std::size_t k) const;
  void group_rows();
  void analyze();
  void bend();
  Mat12 matrix_of(const Group& group) const;
  bool factor(bool convex);

  const Arena& arena_;
  const Placement& at_;
  std::span<const Separation> separations_;
  const solve::LinearProgram& lp_;
  solve::SparseCholesky& cholesky_;
  const DescentMemory& memory_;
  std::vector<Row> rows_;
  std::vector<Drag> drags_;  // by separation; empty: without friction
  std::vector<Group> groups_;
  std::vector<Mat12> bends_;
  bool convex_ = false;  // of the bends their convex part
  std::vector<double> step_;
  double product_ = 0.0;
};

}  // namespace repose::pile
