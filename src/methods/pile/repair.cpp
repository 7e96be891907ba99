#include "repair.h"

#include <cmath>

#include "step.h"

namespace repose::pile {
namespace {

constexpr int kMaxRounds = 60;
/// Pairs nearer than this are kept apart while others move, in radii.
constexpr double kNear = 0.5;
/// What is kept free beyond the margin, in margins.
constexpr double kRoom = 2.0;
constexpr double kGap = 1e-12, kFeasibility = 1e-12;

bool overlaps(std::span<const Separation> separations, std::span<const double> margins) {
  for (std::size_t k = 0; k < separations.size(); ++k)
    if (separations[k].gap < 0.5 * margins[k]) return true;
  return false;
}

}  // namespace

bool repair_start(const Arena& arena, const PileSettings& settings, State& state) {
  std::vector<double> travel;
  for (const Mover& m : arena.movers) travel.push_back(kNear * m.radius);
  StepBounds bounds = rotated_bounds(arena, settings.box_half_width);
  for (const Mover& m : arena.movers) bounds.turn.push_back(m.turns ? settings.most_turn : 0.0);
  PileSettings least = settings;
  least.conserve = 1.0;
  least.solver = Solver::interior_point;
  const auto solver = solve::make_interior_point();
  Placement at = placement_of(arena, state);
  for (int round = 0; round < kMaxRounds; ++round) {
    const auto separations = find_separations(arena, at, travel);
    auto keep = margins_of(arena, separations, settings.margin);
    if (!overlaps(separations, keep)) {
      for (std::size_t i = 0; i < at.poses.size(); ++i)
        state.bodies[arena.movers[i].body].world_from_body = at.poses[i];
      return true;
    }
    for (std::size_t k = 0; k < keep.size(); ++k) {
      if (!std::isfinite(separations[k].gap)) return false;  // no way out is known
      keep[k] *= kRoom;
    }
    StepProgram program = assemble_program(arena, at, separations, keep, bounds, 1.0, least);
    std::fill(program.lp.cost.begin(), program.lp.cost.end(), 0.0);
    program.lp.quadratic.clear();
    solve::LpSettings lp;
    lp.gap_fraction = lp.gap_floor = kGap;
    lp.feasibility = kFeasibility;
    const solve::LpSolution solution = solver->solve(
        program.lp, lp, {.rows = program.first_rows, .zero_is_feasible = false, .multipliers = {}});
    if (solution.status != solve::LpStatus::optimal) return false;
    at = moved(arena, at, proposed_motion(arena, solution), 1.0);
  }
  return false;
}

}  // namespace repose::pile
