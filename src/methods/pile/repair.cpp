#include "repair.h"

#include <cmath>

#include "nearest.h"
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

/// Pieces whose cores meet: the way between the bodies' centres, or up from a wall, leads out after
/// as much as the two reach past each other along it.
void find_way_out(const Arena& arena, const Placement& at, Separation& s) {
  const auto hull_of = [](const Convex& set) { return set.cell ? set.cell->hull() : set; };
  Pose pose_a;
  const Convex* a = nullptr;
  Vec3 way = -arena.gravity;
  if (s.a >= 0) {
    a = &arena.movers[s.a].pieces[s.piece_a];
    pose_a = at.poses[s.a];
    way = at.centers[s.b] - at.centers[s.a];
  } else {
    a = arena.walls.part_set(s.piece_a, pose_a);
  }
  if (a == nullptr) return;
  s.normal = way.norm() > 0.0 ? Vec3(way.normalized()) : Vec3(Vec3::UnitZ());
  const Convex& b = arena.movers[s.b].pieces[s.piece_b];
  s.gap = slab_between(hull_of(*a), pose_a, hull_of(b), at.poses[s.b], s.normal);
  s.point = 0.5 * (at.centers[s.b] + (s.a >= 0 ? at.centers[s.a] : at.centers[s.b]));
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
    auto separations = find_separations(arena, at, travel);
    for (Separation& s : separations)
      if (!std::isfinite(s.gap)) find_way_out(arena, at, s);
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
