#include <algorithm>
#include <cmath>

#include "strike.h"

namespace repose::mechanism {
namespace {

/// One contact, its friction and all joints; `rows` says which rows of the whole they are.
struct Blow {
  ForceProblem problem;
  std::vector<int> rows;
};

Blow blow_at(const ForceProblem& before, std::span<const double> velocity, int normal) {
  Blow blow;
  blow.problem.bodies = before.bodies;
  for (int i = 0; i < static_cast<int>(before.rows.size()); ++i) {
    const ForceRow& row = before.rows[i];
    const bool friction = row.kind == RowKind::friction && row.normal_row == normal;
    if (row.kind != RowKind::bilateral && i != normal && !friction) continue;
    blow.rows.push_back(i);
    blow.problem.rows.push_back(row);
    blow.problem.rows.back().b = velocity[i];
  }
  const auto place = std::find(blow.rows.begin(), blow.rows.end(), normal) - blow.rows.begin();
  for (ForceRow& row : blow.problem.rows) {
    if (row.kind == RowKind::friction) row.normal_row = static_cast<int>(place);
  }
  return blow;
}

/// The normal row that approaches fastest, in units of sqrt(energy) so that heavy and light count
/// alike; -1 if none is faster than `quiet`.
int fastest_approach(const ForceProblem& before, std::span<const double> velocity,
                     std::span<const double> weight, double quiet) {
  int fastest = -1;
  double most = quiet;
  for (int i = 0; i < static_cast<int>(before.rows.size()); ++i) {
    if (before.rows[i].kind != RowKind::normal) continue;
    const double speed = -velocity[i] * weight[i];
    if (speed > most) {
      most = speed;
      fastest = i;
    }
  }
  return fastest;
}

/// Solves a blow with restitution e, or with none if friction would make it gain energy; then
/// `used` becomes 0.
const Forces& strike(Blow& blow, double e, ForceSolver& solver, double& used) {
  auto normal = std::find_if(blow.problem.rows.begin(), blow.problem.rows.end(),
                             [](const ForceRow& row) { return row.kind == RowKind::normal; });
  const double approach = normal->b;
  normal->b = (1.0 + e) * approach;
  const Forces& forces = solver.solve(blow.problem);
  normal->b = approach;
  if (!gains_energy(blow.problem, forces.f)) return forces;
  used = 0.0;
  return solver.solve(blow.problem);
}

}  // namespace

void strike_in_turn(const ForceProblem& before, std::span<const double> restitution,
                    const ImpulseSettings& settings, Impulses& impulses) {
  const int rows = static_cast<int>(before.rows.size());
  std::vector<double> weight(rows, 0.0);
  int normals = 0;
  double fastest = 0.0;
  ForceProblem unit = before;
  for (ForceRow& row : unit.rows) row.b = 0.0;
  for (int i = 0; i < rows; ++i) {
    if (before.rows[i].kind != RowKind::normal) continue;
    ++normals;
    std::vector<double> one(rows, 0.0), answer;
    one[i] = 1.0;
    accelerations_of(unit, one, answer);
    weight[i] = answer[i] > 0.0 ? 1.0 / std::sqrt(answer[i]) : 0.0;
    fastest = std::max(fastest, -before.rows[i].b * weight[i]);
  }
  impulses.status = ForceStatus::solved;
  impulses.p.assign(rows, 0.0);
  impulses.states.assign(rows, RowState::unknown);
  impulses.blows = 0;
  finish(before, impulses);
  ForceSolver solver(settings.forces);
  const double quiet = settings.quiet_fraction * fastest;
  for (int blows = 0; blows < settings.blows_per_row * normals; ++blows) {
    const int row = fastest_approach(before, impulses.velocity, weight, quiet);
    if (row < 0) break;
    Blow blow = blow_at(before, impulses.velocity, row);
    const double e = restitution.empty() ? 0.0 : restitution[row];
    const Forces& forces = strike(blow, e, solver, impulses.restitution_used);
    impulses.residual = std::max(impulses.residual, forces.residual);
    if (forces.status != ForceStatus::solved) {
      impulses.status = forces.status;
      impulses.failed_row = row;
      impulses.why = forces.why;
      return;
    }
    ++impulses.blows;
    for (std::size_t k = 0; k < blow.rows.size(); ++k) impulses.p[blow.rows[k]] += forces.f[k];
    finish(before, impulses);
  }
  // what still approaches, slowly or after too many blows, stops without bouncing
  ForceProblem rest = before;
  for (int i = 0; i < rows; ++i) rest.rows[i].b = impulses.velocity[i];
  Impulses last;
  ForceSolver last_solver = blow_solver(settings.forces);
  strike_at_once(rest, {}, 0.0, {}, last_solver, last);
  impulses.status = last.status;
  impulses.failed_row = last.failed_row;
  impulses.why = last.why;
  impulses.states = last.states;
  impulses.residual = std::max(impulses.residual, last.residual);
  for (int i = 0; i < rows; ++i) impulses.p[i] += last.p[i];
  finish(before, impulses);
}

}  // namespace repose::mechanism
