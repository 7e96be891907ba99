#include "strike.h"

#include <algorithm>
#include <cmath>

#include "repose/base/check.h"

namespace repose::mechanism {
namespace {

/// Energy that a blow may seem to gain by rounding, over the energy it moves.
constexpr double kEnergyRounding = 1e-9;
/// How often the restitution is halved before none is used.
constexpr int kRestitutionHalvings = 6;

}  // namespace

ForceProblem blow_problem(const ForceProblem& problem) {
  ForceProblem blow = problem;
  for (ForceRow& row : blow.rows) {
    if (row.kind == RowKind::friction) row.slip = 0;
    if (row.kind != RowKind::bilateral) continue;
    if (row.low > -kNoLimit) row.low = 0.0;
    if (row.high < kNoLimit) row.high = 0.0;
  }
  return blow;
}

void finish(const ForceProblem& before, Impulses& impulses) {
  accelerations_of(before, impulses.p, impulses.velocity);
  impulses.energy_change = 0.0;
  for (std::size_t i = 0; i < before.rows.size(); ++i) {
    impulses.energy_change += impulses.p[i] * 0.5 * (before.rows[i].b + impulses.velocity[i]);
  }
}

void take(const Forces& forces, Impulses& impulses) {
  impulses.status = forces.status;
  impulses.p = forces.f;
  impulses.states = forces.states;
  impulses.failed_row = forces.failed_row;
  impulses.why = forces.why;
  impulses.blows = 1;
}

void strike_at_once(const ForceProblem& before, std::span<const double> restitution, double share,
                    std::span<const RowState> start, ForceSolver& solver, Impulses& impulses) {
  ForceProblem wanted = before;
  for (std::size_t i = 0; i < wanted.rows.size() && !restitution.empty(); ++i) {
    ForceRow& row = wanted.rows[i];
    if (row.kind == RowKind::normal && row.b < 0.0) row.b *= 1.0 + share * restitution[i];
  }
  const Forces& forces = solver.solve(wanted, {start, {}});
  take(forces, impulses);
  impulses.residual = std::max(impulses.residual, forces.residual);
  finish(before, impulses);
}

bool gains_energy(const ForceProblem& before, std::span<const double> p) {
  std::vector<double> after;
  accelerations_of(before, p, after);
  double gained = 0.0, moved = 0.0;
  for (std::size_t i = 0; i < before.rows.size(); ++i) {
    const double v = before.rows[i].b;
    gained += p[i] * 0.5 * (v + after[i]);
    moved += std::abs(p[i]) * std::max(std::abs(v), std::abs(after[i]));
  }
  return !(gained <= kEnergyRounding * moved);
}

ForceSolver blow_solver(const ForceSettings& settings) {
  ForceSettings quick = settings;
  quick.centre = false;
  return ForceSolver(quick);
}

Impulses strike(const ForceProblem& problem, std::span<const double> restitution,
                const ImpulseSettings& settings, std::span<const RowState> start,
                ForceSolver& solver) {
  REPOSE_CHECK(restitution.empty() || restitution.size() == problem.rows.size());
  const ForceProblem before = blow_problem(problem);
  Impulses impulses;
  if (settings.law == BlowLaw::sequential) {
    strike_in_turn(before, restitution, settings, impulses);
    return impulses;
  }
  // Newton's law with friction can create energy (Kane and Levinson 1985); without restitution the
  // solve cannot
  double share = 1.0;
  for (int attempt = 0; attempt <= kRestitutionHalvings; ++attempt) {
    if (attempt == kRestitutionHalvings) share = 0.0;
    impulses.residual = 0.0;
    strike_at_once(before, restitution, share, start, solver, impulses);
    impulses.restitution_used = share;
    if (!gains_energy(before, impulses.p)) break;
    share *= 0.5;
  }
  return impulses;
}

}  // namespace repose::mechanism
