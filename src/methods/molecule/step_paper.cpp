#include <algorithm>
#include <cmath>

#include "repose/base/at.h"
#include "repose/base/stage_clock.h"

#include "step.h"

namespace repose::molecule {

namespace {

/// A spring of the lattice with the molecules' own diameter as pitch (figure 3.13: "from the
/// elasticity of the molecule material").
constexpr double kLatticeShare = 0.4;

/// kg, of the bodies that a row's two sides belong to; fixed ones count as they are.
double body_mass(const Arena& arena, const Problem& problem, int point, int rigid) {
  const int body = rigid >= 0 ? arena.rigids[at(rigid)].body : arena.body_of[at(point)];
  return problem.bodies[at(body)].mass;
}

/// N/m; k of equation 3.6.
double penalty_stiffness(const Stage& stage, const Row& row) {
  const Arena& arena = stage.arena;
  const int upper = row.points > 0 ? row.point[0] : -1;
  const int lower = row.points > 1 ? row.point[1] : -1;
  if (stage.settings.penalty_from == PenaltyFrom::mass) {
    double lightest = std::numeric_limits<double>::infinity();
    for (const auto& [point, rigid] : {std::pair{upper, row.rigid[0]}, {lower, row.rigid[1]}})
      if (const double mass = body_mass(arena, stage.problem, point, rigid); mass > 0.0)
        lightest = std::min(lightest, mass);
    return stage.settings.penalty_constant * lightest;  // equation 3.7
  }
  double modulus = std::numeric_limits<double>::infinity(), length = 0.0;
  for (const int point : {upper, lower}) {
    if (point < 0) continue;
    modulus = std::min(modulus, arena.modulus[at(point)]);
    length += arena.radius[at(point)];
  }
  if (!std::isfinite(modulus)) return stage.settings.penalty_constant;
  return kLatticeShare * modulus * length;
}

/// Friction as a force at the centres, never more than stops the sliding.
void rub(const Arena& arena, Row& row, Motion& motion) {
  Vec3 relative = Vec3::Zero();
  double inverse = 0.0;
  for (int k = 0; k < row.points; ++k) {
    relative += row.weight[at(k)] * motion.v[at(row.point[at(k)])];
    inverse += arena.inverse_mass[at(row.point[at(k)])];
  }
  for (std::size_t side = 0; side < 2; ++side)
    if (row.rigid[side] >= 0) {
      relative += kSideSign[side] * motion.rigids[at(row.rigid[side])].velocity;
      inverse += arena.rigids[at(row.rigid[side])].inverse_mass;
    }
  const Vec3 along = relative - relative.dot(row.normal) * row.normal;
  const double speed = along.norm();
  if (!(speed > 0.0) || !(inverse > 0.0)) return;
  row.drag = -(std::min(row.friction * row.impulse, speed / inverse) / speed) * along;
  for (int k = 0; k < row.points; ++k) {
    const auto i = at(row.point[at(k)]);
    motion.v[i] += (row.weight[at(k)] * arena.inverse_mass[i]) * row.drag;
  }
  for (std::size_t side = 0; side < 2; ++side)
    if (row.rigid[side] >= 0)
      motion.rigids[at(row.rigid[side])].velocity +=
          (kSideSign[side] * arena.rigids[at(row.rigid[side])].inverse_mass) * row.drag;
}

/// Rows of all pairs that overlap, each with its penalty (equations 3.6, 3.8 and 3.9) as impulse.
void find_penalties(const Stage& stage, const Motion& motion, double h, std::vector<Row>& out) {
  const StageScope timed("penalty");
  const Arena& arena = stage.arena;
  out.clear();
  const Near& near =
      stage.cache.search.update(arena, motion, {.broad = stage.settings.broad_phase});
  const RowSettings s{h, stage.settings.contact_gap, stage.settings.least_length};
  const auto add = [&](Row row) {
    if (row.gap >= 0.0) return;
    row.impulse = -h * penalty_stiffness(stage, row) * row.gap;
    out.push_back(row);
  };
  for (const PointList* list : near.points)
    for (const PointPair& pair : list->pairs) {
      const double apart = arena.radius[at(pair.i)] + arena.radius[at(pair.j)];
      if ((motion.x[at(pair.j)] - motion.x[at(pair.i)]).squaredNorm() < apart * apart)
        add(point_row(arena, motion, pair, s));
    }
  for (const SolidList* list : near.solids)
    for (const SolidPair& pair : list->pairs) add(solid_row(arena, motion, pair, s));
}

}  // namespace

StepOutcome step_paper(const Stage& stage, double time, double h, Motion& motion, Memory& memory) {
  StepOutcome out;
  std::vector<Row>& rows = stage.cache.rows;
  find_penalties(stage, motion, h, rows);
  std::vector<int> pressed;
  push_freely(stage, time, h, motion, pressed);
  for (Row& row : rows) push(stage.arena, row, row.impulse, motion);
  if (stage.settings.friction)
    for (Row& row : rows) rub(stage.arena, row, motion);
  advance(stage.arena, time + h, h, motion);
  ++memory.effort.steps;
  memory.effort.rows += static_cast<long>(rows.size());
  memory.effort.most_rows = std::max(memory.effort.most_rows, static_cast<int>(rows.size()));
  out.h = h;
  return out;
}

double stable_step_of_paper(const Arena& arena, const std::vector<double>& body_mass,
                            const MoleculeSettings& settings) {
  // the stiffest penalty on the lightest molecule, beside its springs
  double stiffest = 0.0;
  for (std::size_t i = 0; i < arena.mass.size(); ++i) {
    if (arena.inverse_mass[i] == 0.0) continue;
    double k = 2.0 * kLatticeShare * arena.modulus[i] * arena.radius[i];
    if (settings.penalty_from == PenaltyFrom::mass)
      k = settings.penalty_constant * body_mass[at(arena.body_of[i])];
    stiffest = std::max(stiffest, 2.0 * k * arena.inverse_mass[i]);
  }
  const double springs = 4.0 / (arena.stable_step * arena.stable_step);
  return 2.0 / std::sqrt(springs + stiffest);
}

}  // namespace repose::molecule
