#pragma once

#include <span>
#include <vector>

#include "program.h"

namespace repose::pile {

/// A pile cut into parts that lie side by side.
struct Zones {
  std::vector<int> of_mover;
  int count = 0;
};
/// Halves the pile along its longest side until no part has more than `most` movers.
Zones make_zones(std::span<const Vec3> centers, int most);

/// Solves the program of a step zone by zone (Milenkovic 1996, section 7). A row between two zones
/// gives each of them half of its room, so that the parts together satisfy the whole program; they
/// need not be its optimum, and the status says so (stalled). Memory is that of one zone.
/// Requires: no quadratic terms, x = 0 feasible, block i belongs to mover i.
solve::LpSolution solve_in_zones(const StepProgram& program, const Zones& zones,
                                 std::span<const double> known, const solve::LpSettings& settings,
                                 solve::LpSolver& solver);

}  // namespace repose::pile
