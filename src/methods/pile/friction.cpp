#include "friction.h"

#include <algorithm>
#include <cmath>

#include "repose/base/stage_clock.h"

namespace repose::pile {
namespace {

constexpr int kEdges = 8;
/// The program's bounds, in radii: any will do, as its rows are cones.
constexpr double kWay = 1.0;
constexpr double kHold = 1e-7;  // weights per radius; keeps loose balls where they are
constexpr double kGap = 1e-9, kFloor = 1e-12, kFeasible = 1e-11, kDual = 1e-9;

/// Edge `edge` of the friction pyramid about a unit normal.
Vec3 edge_of(const Vec3& normal, double friction, int edge) {
  const Vec3 helper = std::fabs(normal.x()) < std::fabs(normal.y()) ? Vec3::UnitX() : Vec3::UnitY();
  const Vec3 u = normal.cross(helper).normalized(), v = normal.cross(u);
  const double angle = 2.0 * M_PI * edge / kEdges;
  return normal + friction * (std::cos(angle) * u + std::sin(angle) * v);
}

/// Largest force, or torque over radius, that the contacts leave unbalanced, over the mover's load.
double worst_unbalanced(const Arena& arena, const Placement& at, std::span<const Contact> contacts,
                        int& worst_mover) {
  std::vector<Vec3> force = forces_of(arena.potentials, at.centers);
  std::vector<Vec3> torque(force.size(), Vec3::Zero());
  for (const Contact& c : contacts)
    for (const int side : {0, 1}) {
      const int i = arena.mover_of[side == 0 ? c.body_a : c.body_b];
      if (i < 0) continue;
      const Vec3 push = side == 0 ? Vec3(-c.force_on_b) : c.force_on_b;
      force[i] += push;
      torque[i] += (c.point_world - at.centers[i]).cross(push);
    }
  double worst = 0.0;
  for (std::size_t i = 0; i < force.size(); ++i) {
    const double left = unbalanced(arena, i, force[i], torque[i]);
    if (left <= worst) continue;
    worst = left;
    worst_mover = static_cast<int>(i);
  }
  return worst;
}

}  // namespace

FrictionHold friction_hold(const Arena& arena, const Placement& at,
                           std::span<const Separation> separations, double touch_gap,
                           const PileSettings& settings, LpSolver& solver) {
  const StageScope timed("friction_hold");
  StepBounds bounds = rotated_bounds(arena, kWay);
  bounds.turn.assign(arena.movers.size(), kWay);
  StepProgram program = assemble_program(arena, at, {}, {}, bounds, 1.0, settings);
  LinearProgram& lp = program.lp;
  const int bounds_end = lp.rows();
  std::vector<const Separation*> touching;
  for (const Separation& s : separations)
    if (s.gap <= touch_gap) touching.push_back(&s);
  for (const Separation* s : touching)
    for (int e = 0; e < kEdges; ++e) {
      const Vec3 edge = edge_of(s->normal, settings.friction, e);
      if (s->a >= 0) add_entries(lp, arena.movers[s->a], -edge, s->point - at.centers[s->a]);
      add_entries(lp, arena.movers[s->b], edge, s->point - at.centers[s->b]);
      lp.end_row(0.0);
    }
  lp.proximal = settings.solver == Solver::simplex ? 0.0 : kHold;
  LpSettings tight;
  tight.gap_fraction = kGap;
  tight.gap_floor = kFloor * static_cast<double>(arena.movers.size());
  tight.feasibility = kFeasible;
  tight.dual_feasibility = kDual;
  const LpSolution solution =
      solver.solve(lp, tight, {.rows = {}, .zero_is_feasible = true, .multipliers = {}});
  FrictionHold out;
  int row = bounds_end;
  for (const Separation* s : touching) {
    Contact c;
    c.body_a = s->a >= 0 ? arena.movers[s->a].body : s->wall_body;
    c.body_b = arena.movers[s->b].body;
    c.normal_a_to_b = s->normal;
    c.gap = s->gap;
    c.point_world = s->point;
    for (int e = 0; e < kEdges; ++e)
      c.force_on_b +=
          arena.force_unit * solution.y[row++] * edge_of(s->normal, settings.friction, e);
    out.contacts.push_back(c);
  }
  out.worst = worst_unbalanced(arena, at, out.contacts, out.worst_mover);
  out.holds = out.worst <= settings.rest_force;
  return out;
}

}  // namespace repose::pile
