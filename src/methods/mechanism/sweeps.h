#pragma once

#include "contact_forces_scaled.h"

namespace repose::mechanism {

/// One row after the other takes the force that its law asks for while all others stay (the
/// projected Gauss-Seidel of game engines). It comes near a solution slowly, but from anywhere and
/// whatever partitions lie between: the last search where pivoting has run in circles.
class Sweeps {
 public:
  /// Begins at `f`; ends after `most` sweeps, or when one changes no force by more than rounding.
  /// False: forces grow without end, as where sliding friction is inconsistent.
  bool run(const ScaledProblem& problem, std::span<const double> f, int most);
  const std::vector<double>& f() const { return f_; }

 private:
  double take_in_turn(const ScaledProblem& problem, int row);

  std::vector<double> f_;
  std::vector<double> y_;  // J' f, three for each body
};

}  // namespace repose::mechanism
