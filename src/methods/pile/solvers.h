#pragma once

#include <memory>

#include "repose/solve/linear_program.h"
#include "repose/solve/sparse_cholesky.h"
#include "repose/world/state.h"

namespace repose::pile {

/// What a step takes from earlier ones through the solvers: their orders of elimination.
struct Orders {
  solve::EliminationPtr programs, interior;
};

/// What the last linear program took.
struct ProgramCost {
  int iterations = 0, rows_used = 0;
};

/// What every kind of pile remembers from step to step.
struct PileMemory : MethodMemory {
  /// N: the arena's, as it was at the start. Where there is no gravity it comes from the pulls
  /// there, and a method prepared anew at a later state would find another.
  double force_unit = 1.0;
  Orders orders;
  ProgramCost cost;
};

/// The solvers of a pile. They keep orders of elimination between steps; a step begins with those
/// of its state, so that it is a function of the state alone: undo, then step, gives the same bits.
struct Solvers {
  std::unique_ptr<solve::LpSolver> programs;
  solve::SparseCholesky interior;  // of steps through the interior
  ProgramCost cost;

  void resume(const PileMemory& memory) {
    programs->resume(memory.orders.programs);
    interior.resume(memory.orders.interior);
    cost = memory.cost;
  }
  void remember(PileMemory& memory) const {
    memory.orders = {programs->elimination(), interior.elimination()};
    memory.cost = cost;
  }
};

}  // namespace repose::pile
