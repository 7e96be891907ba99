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

/// Variables for the turning of movers that the step does not turn: a step moves balls alone, but
/// friction also turns them.
class Spins {
 public:
  /// Appends them to the program, each with its bounds.
  Spins(const Arena& arena, solve::LinearProgram& lp) : first_(arena.movers.size(), -1) {
    for (std::size_t i = 0; i < arena.movers.size(); ++i) {
      const Mover& mover = arena.movers[i];
      if (mover.turns) continue;
      first_[i] = lp.variables();
      lp.cost.resize(lp.cost.size() + 3, 0.0);
      lp.block_start.push_back(lp.variables());
      for (int k = 0; k < 3; ++k)
        for (const double side : {1.0, -1.0}) {
          lp.add_entry(first_[i] + k, side);
          lp.end_row(-kWay * mover.radius / arena.length_unit);
        }
    }
  }
  void add_entries(const Arena& arena, solve::LinearProgram& lp, int mover, const Vec3& a,
                   const Vec3& arm) const {
    const int first = first_[static_cast<std::size_t>(mover)];
    if (first < 0) return;
    const Mover& m = arena.movers[static_cast<std::size_t>(mover)];
    const Vec3 moment = arm.cross(a) / m.radius;
    for (int k = 0; k < 3; ++k)
      if (!m.held[static_cast<std::size_t>(k) + 3] && moment[k] != 0.0)
        lp.add_entry(first + k, moment[k]);
  }

 private:
  std::vector<int> first_;  // by mover; -1: the step turns it
};

/// As pile::unbalanced, and of a ball the torque as well.
double unbalanced_with_spin(const Arena& arena, std::size_t mover, const Vec3& force, Vec3 torque) {
  const double left = unbalanced(arena, mover, force, torque);
  const Mover& m = arena.movers[mover];
  if (m.turns) return left;
  for (int k = 0; k < 3; ++k)
    if (m.held[static_cast<std::size_t>(k) + 3]) torque[k] = 0.0;
  const double load = arena.potentials.load[mover];
  return std::max(left, torque.norm() / m.radius / (load > 0.0 ? load : arena.force_unit));
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
    const double left = unbalanced_with_spin(arena, i, force[i], torque[i]);
    if (left <= worst) continue;
    worst = left;
    worst_mover = static_cast<int>(i);
  }
  return worst;
}

}  // namespace

double friction_at(const Arena& arena, const Separation& s, double most) {
  const int a = s.a >= 0 ? arena.movers[s.a].body : s.wall_body;
  return std::min({most, arena.friction[a], arena.friction[arena.movers[s.b].body]});
}

FrictionHold friction_hold(const Arena& arena, const Placement& at,
                           std::span<const Separation> separations, double touch_gap,
                           const PileSettings& settings, solve::LpSolver& solver) {
  const StageScope timed("friction_hold");
  StepBounds bounds = rotated_bounds(arena, kWay);
  bounds.turn.assign(arena.movers.size(), kWay);
  StepProgram program = assemble_program(arena, at, {}, {}, bounds, 1.0, settings);
  solve::LinearProgram& lp = program.lp;
  const Spins spins(arena, lp);
  const int bounds_end = lp.rows();
  std::vector<const Separation*> touching;
  for (const Separation& s : separations)
    if (s.gap <= touch_gap && !s.passes) touching.push_back(&s);
  for (const Separation* s : touching)
    for (int e = 0; e < kEdges; ++e) {
      const Vec3 edge = edge_of(s->normal, friction_at(arena, *s, settings.most_friction), e);
      const auto add = [&](int mover, const Vec3& a) {
        const Vec3 arm = s->point - at.centers[mover];
        add_entries(lp, arena.movers[mover], a, arm);
        spins.add_entries(arena, lp, mover, a, arm);
      };
      if (s->a >= 0) add(s->a, -edge);
      add(s->b, edge);
      lp.end_row(0.0);
    }
  lp.proximal = settings.solver == Solver::simplex ? 0.0 : kHold;
  solve::LpSettings tight;
  tight.gap_fraction = kGap;
  tight.gap_floor = kFloor * static_cast<double>(arena.movers.size());
  tight.feasibility = kFeasible;
  tight.dual_feasibility = kDual;
  const solve::LpSolution solution =
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
    const double friction = friction_at(arena, *s, settings.most_friction);
    for (int e = 0; e < kEdges; ++e)
      c.force_on_b += arena.force_unit * solution.y[row++] * edge_of(s->normal, friction, e);
    out.contacts.push_back(c);
  }
  out.worst = worst_unbalanced(arena, at, out.contacts, out.worst_mover);
  out.holds = out.worst <= settings.rest_force;
  return out;
}

}  // namespace repose::pile
