#include "program.h"

#include <algorithm>
#include <cmath>

#include "repose/base/stage_clock.h"

namespace repose::pile {
namespace {

/// A unit vector across `v`.
Vec3 across(const Vec3& v) {
  const Vec3 helper = std::fabs(v.x()) < std::fabs(v.y()) ? Vec3::UnitX() : Vec3::UnitY();
  return v.cross(helper).normalized();
}

Vec3 down_of(const Arena& arena) {
  return arena.gravity.norm() > 0.0 ? arena.gravity.normalized() : Vec3(-Vec3::UnitZ());
}

/// Pairs that enter a program at once are nearer than this many times the way expected, and at
/// least than this, in mean radii.
constexpr double kNearWays = 1.0;
constexpr double kLeastNear = 0.03;

double near_gap(double most, double expected_way) {
  if (expected_way <= 0.0) return most;
  return std::min(most, std::max(kLeastNear, kNearWays * expected_way));
}

void add_bound(StepProgram& out, double bound) {
  out.first_rows.push_back(out.lp.rows());
  out.lp.end_row(bound);
}

}  // namespace

void add_entries(solve::LinearProgram& lp, const Mover& mover, const Vec3& a, const Vec3& arm) {
  for (int k = 0; k < 3; ++k)
    if (!mover.held[k] && a[k] != 0.0) lp.add_entry(mover.first + k, a[k]);
  if (!mover.turns) return;
  const Vec3 moment = arm.cross(a) / mover.radius;
  for (int k = 0; k < 3; ++k)
    if (!mover.held[k + 3] && moment[k] != 0.0) lp.add_entry(mover.first + 3 + k, moment[k]);
}

std::vector<double> travel_of(const Arena& arena, const StepBounds& bounds) {
  std::vector<double> out;
  for (std::size_t i = 0; i < bounds.room.size(); ++i) {
    const auto& room = bounds.room[i];
    const Mover& mover = arena.movers[i];
    const double turning = mover.turns ? std::sqrt(3.0) * bounds.turn[i] * mover.radius : 0.0;
    double square = 0.0;
    for (int k = 0; k < 3; ++k) {
      const double far = std::max(room[k], room[k + 3]);
      square += far * far;
    }
    out.push_back(std::sqrt(square) + turning);
  }
  return out;
}

StepBounds rotated_bounds(const Arena& arena, double half_width) {
  std::vector<double> half_widths;
  for (const Mover& m : arena.movers) half_widths.push_back(half_width * m.radius);
  return rotated_bounds(arena, half_widths);
}

StepBounds rotated_bounds(const Arena& arena, std::span<const double> half_widths) {
  // three edges that make equal angles with the fall: a corner points down
  const Vec3 down = down_of(arena), u = across(down), v = down.cross(u);
  StepBounds out;
  const double tilt = 1.0 / std::sqrt(3.0), rest = std::sqrt(2.0 / 3.0);
  constexpr double kThird = 2.0943951023931953;  // 120 degrees
  for (int k = 0; k < 3; ++k)
    out.axis[k] = tilt * down + rest * (std::cos(k * kThird) * u + std::sin(k * kThird) * v);
  for (const double half : half_widths) {
    std::array<double, 6> room{};
    room.fill(half);
    out.room.push_back(room);
  }
  return out;
}

StepBounds upright_bounds(const Arena& arena, double half_width, std::span<const double> fall) {
  const Vec3 down = down_of(arena), u = across(down);
  StepBounds out;
  out.axis = {u, down.cross(u), down};
  for (std::size_t i = 0; i < arena.movers.size(); ++i) {
    std::array<double, 6> room{};
    room.fill(half_width * arena.movers[i].radius);
    room[2] = fall[i];
    out.room.push_back(room);
  }
  return out;
}

std::vector<double> margins_of(const Arena& arena, std::span<const Separation> separations,
                               double margin) {
  std::vector<double> out;
  out.reserve(separations.size());
  for (const Separation& s : separations) {
    double keep = margin * arena.movers[s.b].radius;
    if (s.a >= 0) keep += margin * arena.movers[s.a].radius;
    out.push_back(keep);
  }
  return out;
}

StepProgram assemble_program(const Arena& arena, const Placement& at,
                             std::span<const Separation> separations, std::span<const double> keep,
                             const StepBounds& bounds, double caution, const PileSettings& settings,
                             double expected_way) {
  const StageScope timed("assemble_program");
  const double near = near_gap(settings.near_gap, expected_way);
  StepProgram out;
  solve::LinearProgram& lp = out.lp;
  const double unit = arena.length_unit;
  lp.cost.resize(static_cast<std::size_t>(arena.variables));
  lp.block_start.clear();
  std::vector<char> held(lp.cost.size(), 0);
  for (const Mover& m : arena.movers) {
    lp.block_start.push_back(m.first);
    for (int k = 0; k < m.variables(); ++k) held[m.first + k] = m.held[k];
  }
  lp.block_start.push_back(arena.variables);
  add_potentials(arena.potentials, at.centers, lp.block_start, {unit, arena.force_unit}, caution,
                 lp);
  for (std::size_t i = 0; i < held.size(); ++i)
    if (held[i]) lp.cost[i] = 0.0;
  std::erase_if(lp.quadratic, [&](const solve::QuadraticEntry& q) {
    return q.row != q.column && (held[q.row] || held[q.column]);
  });
  lp.proximal = settings.solver == Solver::simplex ? 0.0 : settings.conserve;
  for (std::size_t k = 0; k < separations.size(); ++k) {
    const Separation& s = separations[k];
    if (s.a >= 0 && !s.passes)
      add_entries(lp, arena.movers[s.a], -s.normal, s.point - at.centers[s.a]);
    if (!s.passes) add_entries(lp, arena.movers[s.b], s.normal, s.point - at.centers[s.b]);
    if (s.gap <= near * unit) out.first_rows.push_back(lp.rows());
    // nothing in this pair can move along the normal, or it passes: the row holds as it is
    const bool fixed = lp.row_start.back() == static_cast<int>(lp.column.size());
    lp.end_row(fixed ? -1.0 : (keep[k] - s.gap) / unit);
  }
  for (std::size_t i = 0; i < arena.movers.size(); ++i) {
    const Mover& mover = arena.movers[i];
    for (int k = 0; k < 3; ++k)
      for (const double side : {1.0, -1.0}) {
        // side 1: axis . x >= -room behind; side -1: axis . x <= room ahead
        add_entries(lp, mover, side * bounds.axis[k], Vec3::Zero());
        add_bound(out, -bounds.room[i][side > 0.0 ? k + 3 : k] / unit);
      }
    for (int k = 0; k < 3 && mover.turns; ++k)
      for (const double side : {1.0, -1.0}) {
        if (!mover.held[k + 3]) lp.add_entry(mover.first + 3 + k, side);
        add_bound(out, -bounds.turn[i] * mover.radius / unit);
      }
  }
  return out;
}

std::vector<double> answer_of_way(const Arena& arena, std::span<const Vec3> way) {
  std::vector<double> out;
  if (way.empty()) return out;
  out.assign(static_cast<std::size_t>(arena.variables), 0.0);
  for (std::size_t i = 0; i < way.size(); ++i)
    for (int k = 0; k < 3; ++k)
      out[static_cast<std::size_t>(arena.movers[i].first + k)] = way[i][k] / arena.length_unit;
  return out;
}

void add_far_separation(StepProgram& program, const Arena& arena, const FarSeparation& far,
                        double keep) {
  solve::LinearProgram& lp = program.lp;
  const double unit = arena.length_unit;
  double bound = keep - far.gap + far.normal.dot(far.way_b + far.turn_b.cross(far.arm_b));
  if (far.a >= 0) {
    bound -= far.normal.dot(far.way_a + far.turn_a.cross(far.arm_a));
    add_entries(lp, arena.movers[far.a], -far.normal, far.arm_a);
  }
  add_entries(lp, arena.movers[far.b], far.normal, far.arm_b);
  program.first_rows.push_back(lp.rows());
  lp.end_row(std::min(0.0, bound / unit));
}

}  // namespace repose::pile
