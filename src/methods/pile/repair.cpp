#include "repair.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "repose/base/stage_interrupt.h"

#include "nearest.h"
#include "step.h"
#include "way_out.h"

namespace repose::pile {
namespace {

constexpr int kMaxRounds = 60;
/// Pairs nearer than this are kept apart while others move, in radii.
constexpr double kNear = 0.5;
/// What is kept free beyond the margin, in margins.
constexpr double kRoom = 2.0;
/// Pairs of pieces of two bodies whose own ways out are tried.
constexpr std::size_t kMostWays = 24;
/// What turning costs beside going as far, as a body's farthest point goes by it.
constexpr double kTurnCost = 1e3;
/// What lies within a body is no farther from a side of it than this, over the deepest overlap.
constexpr double kSunk = 2.0;
constexpr double kGap = 1e-12, kFeasibility = 1e-12;

bool overlaps(std::span<const Separation> separations, std::span<const double> margins) {
  for (std::size_t k = 0; k < separations.size(); ++k)
    if (separations[k].gap < 0.5 * margins[k]) return true;
  return false;
}

/// A piece of a mover or a part of the walls, where it stands. Cells count as their hulls.
struct Placed {
  Convex set;
  Pose pose;
};
Placed placed(const Convex& set, const Pose& pose) {
  return {set.cell ? set.cell->hull() : set, pose};
}
std::optional<Placed> first_of(const Arena& arena, const Placement& at, const Separation& s) {
  if (s.a >= 0) return placed(arena.movers[s.a].pieces[s.piece_a], at.poses[s.a]);
  Pose pose;
  const Convex* set = arena.walls.part_set(s.piece_a, pose);
  if (set == nullptr) return {};
  return placed(*set, pose);
}
Placed second_of(const Arena& arena, const Placement& at, const Separation& s) {
  return placed(arena.movers[s.b].pieces[s.piece_b], at.poses[s.b]);
}

/// Two bodies of which pieces meet by their cores: nearest points say nothing of them.
struct Crossing {
  int a = -1, b = -1, wall_body = -1;
  std::vector<std::size_t> rows;
};
std::vector<Crossing> find_crossings(std::span<const Separation> separations) {
  std::vector<Crossing> out;
  for (std::size_t k = 0; k < separations.size(); ++k) {
    const Separation& s = separations[k];
    if (std::isfinite(s.gap) || s.piece_b < 0) continue;
    const auto same = [&s](const Crossing& c) {
      return c.a == s.a && c.b == s.b && c.wall_body == s.wall_body;
    };
    auto found = std::find_if(out.begin(), out.end(), same);
    if (found == out.end()) found = out.insert(out.end(), {s.a, s.b, s.wall_body, {}});
    found->rows.push_back(k);
  }
  return out;
}

/// The same for bodies of which several pieces overlap by finite depths. Pieces of surfaces that
/// lie within the other body's solid are kept there by the sides that they see: all that may be as
/// deep go the common way.
std::vector<Crossing> find_sunk(std::span<const Separation> separations,
                                std::span<const double> margins) {
  std::map<std::array<int, 3>, double> deepest;
  const auto pair_of = [](const Separation& s) { return std::array{s.a, s.b, s.wall_body}; };
  for (std::size_t k = 0; k < separations.size(); ++k)
    if (const Separation& s = separations[k]; s.piece_b >= 0 && s.gap < -margins[k])
      deepest[pair_of(s)] = std::max(deepest[pair_of(s)], -s.gap);
  std::vector<Crossing> out;
  for (const auto& [pair, depth] : deepest) {
    out.push_back({pair[0], pair[1], pair[2], {}});
    for (std::size_t k = 0; k < separations.size(); ++k)
      if (const Separation& s = separations[k];
          s.piece_b >= 0 && pair_of(s) == pair && s.gap <= kSunk * depth)
        out.back().rows.push_back(k);
    // the way out of one piece is the body's
    if (out.back().rows.size() < 2) out.pop_back();
  }
  return out;
}

/// The shortest common way out of all pieces of two bodies that meet: of the ways out of single
/// pairs, and the way between the bodies' centres (up from a wall), the one on which the last pair
/// is apart soonest. Their rows receive it.
void find_way_out(const Arena& arena, const Placement& at, const Crossing& crossing,
                  std::span<Separation> separations) {
  struct Meeting {
    std::size_t row;
    Placed a, b;
  };
  std::vector<Meeting> meetings;
  for (const std::size_t k : crossing.rows)
    if (auto a = first_of(arena, at, separations[k]))
      meetings.push_back({k, std::move(*a), second_of(arena, at, separations[k])});
  if (meetings.empty()) return;
  const auto farthest = [&](const Vec3& way) {
    double out = 0.0;
    for (const Meeting& m : meetings)
      out = std::max(out, -slab_between(m.a.set, m.a.pose, m.b.set, m.b.pose, way));
    return out;
  };
  const Vec3 apart = crossing.a >= 0 ? Vec3(at.centers[crossing.b] - at.centers[crossing.a])
                                     : Vec3(-arena.gravity);
  Vec3 best = apart.norm() > 0.0 ? Vec3(apart.normalized()) : Vec3(Vec3::UnitZ());
  double least = farthest(best);
  for (std::size_t k = 0; k < std::min(meetings.size(), kMostWays); ++k) {
    end_if_interrupted();
    const Meeting& m = meetings[k];
    const Vec3 way = shortest_way_out(m.a.set, m.a.pose, m.b.set, m.b.pose).normal;
    if (const double depth = farthest(way); depth < least) {
      least = depth;
      best = way;
    }
  }
  for (const Meeting& m : meetings) {
    Separation& s = separations[m.row];
    s.normal = best;
    s.gap = slab_between(m.a.set, m.a.pose, m.b.set, m.b.pose, best);
    s.point = 0.5 * (at.centers[s.b] + (s.a >= 0 ? at.centers[s.a] : at.centers[s.b]));
  }
}

/// Of the movers, towards gaps of at least `keep`.
solve::LpSolution least_motion(const Arena& arena, const Placement& at,
                               std::span<const Separation> separations,
                               std::span<const double> keep, const StepBounds& bounds,
                               const PileSettings& least) {
  StepProgram program = assemble_program(arena, at, separations, keep, bounds, 1.0, least);
  std::fill(program.lp.cost.begin(), program.lp.cost.end(), 0.0);
  program.lp.quadratic.clear();
  // bodies that need not turn do not
  for (const Mover& m : arena.movers)
    for (int k = m.first + 3; k < m.first + m.variables(); ++k)
      program.lp.quadratic.push_back({k, k, kTurnCost});
  solve::LpSettings lp;
  lp.gap_fraction = lp.gap_floor = kGap;
  lp.feasibility = kFeasibility;
  const auto solver = solve::make_interior_point();
  return solver->solve(program.lp, lp,
                       {.rows = program.first_rows, .zero_is_feasible = false, .multipliers = {}});
}

/// Squares of ways over the length unit, turns dearer. Infinite: there is no such motion.
double cost_of(const Arena& arena, const solve::LpSolution& solution) {
  if (solution.status != solve::LpStatus::optimal) return std::numeric_limits<double>::infinity();
  double out = 0.0;
  for (const Mover& m : arena.movers)
    for (int k = 0; k < m.variables(); ++k) {
      const double way = m.held[k] ? 0.0 : solution.x[m.first + k];
      out += (k < 3 ? 1.0 : 1.0 + kTurnCost) * way * way;
    }
  return out;
}

/// The lesser of two motions: the pieces of bodies that overlap each by its own way, or all by the
/// bodies' common ways. The first may be none or far (faces within a solid that are kept there).
solve::LpSolution lesser_motion(const Arena& arena, const Placement& at,
                                std::span<Separation> separations, std::span<const double> keep,
                                const StepBounds& bounds, const PileSettings& least) {
  solve::LpSolution single = least_motion(arena, at, separations, keep, bounds, least);
  const auto sunk = find_sunk(separations, keep);
  if (sunk.empty()) return single;
  for (const Crossing& crossing : sunk) find_way_out(arena, at, crossing, separations);
  solve::LpSolution common = least_motion(arena, at, separations, keep, bounds, least);
  return cost_of(arena, common) < cost_of(arena, single) ? common : single;
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
  Placement at = placement_of(arena, state);
  for (int round = 0; round < kMaxRounds; ++round) {
    end_if_interrupted();
    auto separations = find_separations(arena, at, travel);
    for (const Crossing& crossing : find_crossings(separations))
      find_way_out(arena, at, crossing, separations);
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
    const solve::LpSolution solution = lesser_motion(arena, at, separations, keep, bounds, least);
    if (solution.status != solve::LpStatus::optimal) return false;
    at = moved(arena, at, proposed_motion(arena, solution), 1.0);
  }
  return false;
}

}  // namespace repose::pile
