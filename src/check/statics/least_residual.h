#pragma once

#include "check/statics/wrenches.h"

namespace repose::check {

/// z in K that makes |W z + g| least.
struct LeastResidual {
  Wrenches::Forces forces;
  Wrenches::Residual residual;  // W z + g
  bool converged = false;
  int steps = 0;
};

struct LeastResidualSettings {
  static constexpr double kSmall = 1e-8;
  double small = kSmall;  // done when |r|_max is below this
  int max_steps = 20'000;
};

/// Accelerated projected gradient with restarts (Nesterov 1983, O'Donoghue and Candes 2015). Starts
/// from `start` where it has the right length, else from zero.
LeastResidual least_residual(const Wrenches& w, const LeastResidualSettings& settings,
                             const Wrenches::Forces& start = {});

}  // namespace repose::check
