#pragma once

#include "pivoting_linear.h"

namespace repose::mechanism {

/// Lemke's method on the complementarity problem that the rows make with friction written as two
/// opposite forces and a slack (Stewart and Trinkle 1996). With static friction alone it cannot end
/// in a ray; with dynamic friction it can. Dense and slow: the last resort for small problems.
class LemkePivoting {
 public:
  enum class End { found, ray, gave_up };
  /// `f` is the answer. Solves A + proximal I, b - proximal * prior. Contacts that are just about
  /// to carry or to slide make the method go round in circles; each constant moved by up to `shift`
  /// of what drives the problem takes it out of them, and the answer is that of a problem as far
  /// away. Each `variant` takes another way.
  End run(const ScaledProblem& problem, PartitionSolver& linear, double proximal,
          std::span<const double> prior, double shift, int variant, std::vector<double>& f);
  int pivots() const { return pivots_; }

 private:
  struct Unknown {
    int row;      // whose force it adds to, or whose limit it is the slack of
    double sign;  // f += sign * z; 0 for a slack
    int partner;  // slack: the first of the row's unknowns; force: its slack; -1: none
  };
  void list_unknowns();
  bool reduce(double proximal, std::span<const double> prior);
  void fill_tableau(double shift, int variant);
  double coefficient(int row_unknown, int column_unknown) const;
  double constant(int unknown) const;
  double reduced_column(int row, int column) const;
  End pivot_until_done();
  void exchange(int leaving_row, int entering);

  const ScaledProblem* problem_ = nullptr;
  PartitionSolver* linear_ = nullptr;
  int pivots_ = 0;
  std::vector<Unknown> unknowns_;
  std::vector<double> start_;    // force of each row when all unknowns are 0
  std::vector<double> reduced_;  // A with the joints eliminated
  std::vector<double> q_;        // b with the joints eliminated
  std::vector<double> tableau_;  // columns of those that are not in the basis
  std::vector<int> basis_;       // of each row: w from 0, z from n, z0 last
  std::vector<double> own_;      // what each row holds of its own basic one
  std::vector<int> column_of_;   // -1: in the basis
};

}  // namespace repose::mechanism
