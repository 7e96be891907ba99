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

void add_entries(LinearProgram& lp, const Mover& mover, int index, const Vec3& a) {
  for (int k = 0; k < 3; ++k)
    if (!mover.held[k] && a[k] != 0.0) lp.add_entry(3 * index + k, a[k]);
}

}  // namespace

std::vector<double> reach_of(const StepBounds& bounds) {
  std::vector<double> out;
  for (const auto& room : bounds.room) {
    double square = 0.0;
    for (int k = 0; k < 3; ++k) {
      const double far = std::max(room[k], room[k + 3]);
      square += far * far;
    }
    out.push_back(std::sqrt(square));
  }
  return out;
}

StepBounds rotated_bounds(const Arena& arena, double half_width) {
  // three edges that make equal angles with the fall: a corner points down
  const Vec3 down = down_of(arena), u = across(down), v = down.cross(u);
  StepBounds out;
  const double tilt = 1.0 / std::sqrt(3.0), rest = std::sqrt(2.0 / 3.0);
  constexpr double kThird = 2.0943951023931953;  // 120 degrees
  for (int k = 0; k < 3; ++k)
    out.axis[k] = tilt * down + rest * (std::cos(k * kThird) * u + std::sin(k * kThird) * v);
  for (const Mover& m : arena.movers) {
    std::array<double, 6> room{};
    room.fill(half_width * m.radius);
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

StepProgram assemble_program(const Arena& arena, std::span<const Vec3> centers,
                             std::span<const Separation> separations, const StepBounds& bounds,
                             double caution, const PileSettings& settings) {
  const StageScope timed("assemble_program");
  StepProgram out;
  LinearProgram& lp = out.lp;
  const int count = static_cast<int>(arena.movers.size());
  const double unit = arena.length_unit;
  lp.cost.resize(3 * static_cast<std::size_t>(count));
  lp.block_start.resize(static_cast<std::size_t>(count) + 1);
  for (int i = 0; i < count; ++i) lp.block_start[i + 1] = 3 * (i + 1);
  add_potentials(arena.potentials, centers, lp.block_start, {unit, arena.force_unit}, caution, lp);
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < 3; ++k)
      if (arena.movers[i].held[k]) lp.cost[3 * i + k] = 0.0;
  const auto held = [&](int variable) { return arena.movers[variable / 3].held[variable % 3]; };
  std::erase_if(lp.quadratic, [&](const QuadraticEntry& q) {
    return q.row != q.column && (held(q.row) || held(q.column));
  });
  lp.proximal = settings.solver == Solver::simplex ? 0.0 : settings.conserve;
  for (const Separation& s : separations) {
    double keep = settings.margin * arena.movers[s.b].radius;
    if (s.a >= 0) {
      keep += settings.margin * arena.movers[s.a].radius;
      add_entries(lp, arena.movers[s.a], s.a, -s.normal);
    }
    add_entries(lp, arena.movers[s.b], s.b, s.normal);
    if (s.gap <= settings.near_gap * unit) out.first_rows.push_back(lp.rows());
    // nothing in this pair can move along the normal: the row holds as it is
    const bool fixed = lp.row_start.back() == static_cast<int>(lp.column.size());
    lp.end_row(fixed ? -1.0 : (keep - s.gap) / unit);
  }
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < 3; ++k)
      for (const double side : {1.0, -1.0}) {
        // side 1: axis . x >= -room behind; side -1: axis . x <= room ahead
        add_entries(lp, arena.movers[i], i, side * bounds.axis[k]);
        out.first_rows.push_back(lp.rows());
        lp.end_row(-bounds.room[i][side > 0.0 ? k + 3 : k] / unit);
      }
  return out;
}

}  // namespace repose::pile
