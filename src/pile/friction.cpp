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

}  // namespace

FrictionHold friction_hold(const Arena& arena, const Placement& at,
                           std::span<const Separation> separations, double touch_gap,
                           const PileSettings& settings, LpSolver& solver) {
  const StageScope timed("friction_hold");
  const StepBounds bounds = rotated_bounds(arena, kWay);
  StepProgram program = assemble_program(arena, at, {}, {}, bounds, 1.0, settings);
  LinearProgram& lp = program.lp;
  const int bounds_end = lp.rows();
  std::vector<const Separation*> touching;
  for (const Separation& s : separations)
    if (s.gap <= touch_gap) touching.push_back(&s);
  for (const Separation* s : touching)
    for (int e = 0; e < kEdges; ++e) {
      const Vec3 edge = edge_of(s->normal, settings.friction, e);
      for (const int side : {s->a, s->b}) {
        if (side < 0) continue;
        const Mover& m = arena.movers[static_cast<std::size_t>(side)];
        for (int k = 0; k < 3; ++k)
          if (!m.held[k]) lp.add_entry(m.first + k, side == s->b ? edge[k] : -edge[k]);
      }
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
  // what the edges alone leave unbalanced
  FrictionHold out;
  std::vector<Vec3> force = forces_of(arena.potentials, at.centers);
  int row = bounds_end;
  for (const Separation* s : touching) {
    Contact c;
    c.body_a = s->a >= 0 ? arena.movers[static_cast<std::size_t>(s->a)].body : s->wall_body;
    c.body_b = arena.movers[static_cast<std::size_t>(s->b)].body;
    c.normal_a_to_b = s->normal;
    c.gap = s->gap;
    c.point_world = s->point;
    c.force_on_b = Vec3::Zero();
    for (int e = 0; e < kEdges; ++e)
      c.force_on_b += arena.force_unit * solution.y[static_cast<std::size_t>(row++)] *
                      edge_of(s->normal, settings.friction, e);
    force[static_cast<std::size_t>(s->b)] += c.force_on_b;
    if (s->a >= 0) force[static_cast<std::size_t>(s->a)] -= c.force_on_b;
    out.contacts.push_back(c);
  }
  for (std::size_t i = 0; i < force.size(); ++i) {
    const Mover& m = arena.movers[i];
    for (int k = 0; k < 3; ++k)
      if (m.held[k]) force[i][k] = 0.0;
    const double load = arena.potentials.load[i];
    out.worst = std::max(out.worst, force[i].norm() / (load > 0.0 ? load : arena.force_unit));
  }
  out.holds = out.worst <= settings.rest_force;
  return out;
}

}  // namespace repose::pile
