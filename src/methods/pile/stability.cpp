#include "stability.h"

#include <algorithm>
#include <cmath>

#include "repose/base/random.h"
#include "repose/base/stage_clock.h"
#include "repose/solve/sparse_cholesky.h"

#include "step.h"

namespace repose::pile {
namespace {

/// How far the push may carry a ball, in radii; each of the two steps of the look.
constexpr double kPushWay = 0.05;
/// The push, in weights. Smaller than any force that a contact of a stable pile carries.
constexpr double kPush = 1e-6;
/// Holds balls that the push cannot move, in weights per radius.
constexpr double kPushHold = 1e-9;
/// Energy that must be lost, in mean weights times radii: far above what rest leaves.
constexpr double kSaddleGain = 1e-5;
constexpr double kPushGap = 1e-4;   // of the pushed program
constexpr double kAfterGap = 1e-2;  // of the one that follows
constexpr double kFloor = 1e-12;    // per mover
constexpr double kFeasible = 1e-11;
/// A contact holds if it carries at least this, in weights; the pile is held if the squares of all
/// motions along such contacts come to at least this share of the squares of the motions.
constexpr double kHoldingForce = 1e-6;
constexpr double kHoldingShare = 1e-9;
constexpr std::uint64_t kPushSeed = 0x9d5c;

std::vector<Vec3> step_of(const Arena& arena, std::span<const double> x) {
  std::vector<Vec3> out(arena.movers.size(), Vec3::Zero());
  for (std::size_t i = 0; i < out.size(); ++i)
    for (int k = 0; k < 3; ++k)
      if (!arena.movers[i].held[k])
        out[i][k] = arena.length_unit * x[static_cast<std::size_t>(arena.movers[i].first + k)];
  return out;
}

solve::LpSolution solve_step(const Arena& arena, const StepProgram& program, double gap,
                             solve::LpSolver& solver) {
  solve::LpSettings lp;
  lp.gap_fraction = gap;
  lp.gap_floor = kFloor * static_cast<double>(arena.movers.size());
  lp.feasibility = kFeasible;
  return solver.solve(program.lp, lp,
                      {.rows = program.first_rows, .zero_is_feasible = true, .multipliers = {}});
}

}  // namespace

bool is_held(const Arena& arena, std::span<const Separation> separations,
             std::span<const double> multipliers, double touch_gap) {
  const StageScope timed("is_held");
  if (!arena.potentials.links.empty()) return false;
  std::vector<const Separation*> holding;
  std::vector<std::pair<int, int>> pairs;
  std::vector<char> rolls(arena.movers.size(), 1);  // on nothing but planes
  for (std::size_t k = 0; k < separations.size(); ++k) {
    const Separation& s = separations[k];
    if (s.gap > touch_gap || multipliers[k] < kHoldingForce) continue;
    holding.push_back(&s);
    if (!s.flat) rolls[static_cast<std::size_t>(s.b)] = 0;
    if (s.a < 0) continue;
    rolls[static_cast<std::size_t>(s.a)] = 0;
    pairs.emplace_back(s.a, s.b);
  }
  const int count = static_cast<int>(arena.movers.size());
  std::vector<int> block_start;
  for (int i = 0; i <= count; ++i) block_start.push_back(3 * i);
  solve::SparseCholesky matrix;
  matrix.analyze(solve::graph_from_pairs(count, pairs), block_start);
  matrix.clear();
  // sum of (normal . motion)^2 less the share: positive definite if that is what holds them
  const auto add = [&](int i, int j, const Vec3& normal, double factor) {
    for (int p = 0; p < 3; ++p)
      for (int q = 0; q < (i == j ? p + 1 : 3); ++q)
        matrix.values()[matrix.place(3 * i + p, 3 * j + q)] += factor * normal[p] * normal[q];
  };
  for (const Separation* s : holding) {
    add(s->b, s->b, s->normal, 1.0);
    if (s->a < 0) continue;
    add(s->a, s->a, s->normal, 1.0);
    add(s->b, s->a, s->normal, -1.0);
  }
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < 3; ++k) {
      const auto mover = static_cast<std::size_t>(i);
      const bool fixed = rolls[mover] || arena.movers[mover].held[k];
      matrix.values()[matrix.place(3 * i + k, 3 * i + k)] += (fixed ? 1.0 : 0.0) - kHoldingShare;
    }
  return matrix.factor() && matrix.left_out() == 0;
}

Saddle find_saddle(const Arena& arena, const Placement& at, const PileSettings& settings,
                   solve::LpSolver& solver) {
  const StageScope timed("find_saddle");
  Saddle out;
  const StepBounds bounds = rotated_bounds(arena, kPushWay);
  const std::vector<double> travel = travel_of(arena, bounds);
  // to where a push moves them
  auto near = find_separations_of_free(arena, at, travel);
  StepProgram program = assemble_program(arena, at, near, margins_of(arena, near, settings.margin),
                                         bounds, 1.0, settings);
  Random random(kPushSeed);
  for (const Mover& m : arena.movers)
    for (int k = 0; k < m.variables(); ++k) {
      const double push = kPush * random.between(-1.0, 1.0);
      if (!m.held[k]) program.lp.cost[static_cast<std::size_t>(m.first + k)] += push;
    }
  program.lp.proximal = settings.solver == Solver::simplex ? 0.0 : kPushHold;
  const solve::LpSolution pushed = solve_step(arena, program, kPushGap, solver);
  if (pushed.status != solve::LpStatus::optimal) return out;
  Motion motion;
  motion.displacement = step_of(arena, pushed.x);
  motion.turn.assign(arena.movers.size(), Vec3::Zero());
  const Placement beside = moved(arena, at, motion, 1.0);
  // and on from there
  near = find_separations_of_free(arena, beside, travel);
  program = assemble_program(arena, beside, near, margins_of(arena, near, settings.margin), bounds,
                             1.0, settings);
  const std::vector<Vec3> after = step_of(arena, solve_step(arena, program, kAfterGap, solver).x);
  double farthest = 0.0;
  for (std::size_t i = 0; i < after.size(); ++i) {
    motion.displacement[i] += after[i];
    if (motion.displacement[i].norm() <= farthest) continue;
    farthest = motion.displacement[i].norm();
    out.mover = static_cast<int>(i);
  }
  out.gain = energy_drop(arena.potentials, at.centers, motion.displacement);
  out.found = out.gain > kSaddleGain * arena.force_unit * arena.length_unit;
  return out;
}

int find_endless_fall(const Arena& arena, const Placement& at, std::span<const Separation> near) {
  if (!arena.potentials.links.empty()) return -1;
  std::vector<char> busy(arena.movers.size(), 0);
  for (const Separation& s : near) {
    busy[static_cast<std::size_t>(s.b)] = 1;
    if (s.a >= 0) busy[static_cast<std::size_t>(s.a)] = 1;
  }
  for (std::size_t i = 0; i < busy.size(); ++i) {
    const Mover& m = arena.movers[i];
    const Vec3& force = arena.potentials.push[i];
    if (busy[i] || force.norm() == 0.0 || m.held[0] || m.held[1] || m.held[2]) continue;
    const Vec3 down = force.normalized();
    if (arena.walls.meets_ray(at.centers[i], down, m.radius)) continue;
    const bool other = [&] {
      for (std::size_t j = 0; j < busy.size(); ++j) {
        const Vec3 to = at.centers[j] - at.centers[i];
        const double along = std::max(0.0, to.dot(down)), room = m.radius + arena.movers[j].radius;
        if (j != i && (to - along * down).squaredNorm() < room * room) return true;
      }
      return false;
    }();
    if (!other) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace repose::pile
