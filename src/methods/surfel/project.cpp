#include "project.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "repose/base/at.h"
#include "repose/base/disjoint_sets.h"
#include "repose/base/stage_clock.h"

#include "padded.h"

namespace repose::surfel {

namespace {

/// Velocities of the upper side against the lower: of centres, and at the contact point.
struct Relative {
  Vec4 centers, surfaces;
};
Relative relative(const std::span<const RowPart>& parts, const std::vector<Vec4>& v) {
  // in two sums each: an addition need not wait for the one before
  std::array<Vec4, 2> centers, surfaces;
  centers.fill(Vec4::Zero());
  surfaces.fill(Vec4::Zero());
  std::size_t k = 0;
  for (; k + 1 < parts.size(); k += 2)
    for (std::size_t n = 0; n < 2; ++n) {
      const RowPart& part = parts[k + n];
      centers[n] += part.weight * v[at(part.phyxel)];
      surfaces[n] += part.surface * v[at(part.phyxel)];
    }
  if (k < parts.size()) {
    centers[0] += parts[k].weight * v[at(parts[k].phyxel)];
    surfaces[0] += parts[k].surface * v[at(parts[k].phyxel)];
  }
  return {centers[0] + centers[1], surfaces[0] + surfaces[1]};
}

/// An impulse at the centres and one at the contact point.
void push(const std::span<const RowPart>& parts, const Vec4& normal, const Vec4& drag,
          std::vector<Vec4>& v) {
  for (const RowPart& part : parts) v[at(part.phyxel)] += part.given * normal + part.rubbed * drag;
}

Vec4 padded(const Vec3& v) {
  Vec4 out;
  out << v, 0.0;
  return out;
}

/// m/s; of the solids of a row at its contact point, the upper against the lower.
Vec3 relative(const Row& row, const std::vector<rigid::RigidMotion>& solids) {
  Vec3 out = Vec3::Zero();
  if (row.solid[0] >= 0) out += solids[at(row.solid[0])].velocity_at(row.point);
  if (row.solid[1] >= 0) out -= solids[at(row.solid[1])].velocity_at(row.point);
  return out;
}

/// An impulse on the upper side's solid at the contact point, and its opposite on the lower's.
void push(const Arena& arena, const Row& row, const Vec3& impulse,
          std::vector<rigid::RigidMotion>& solids) {
  for (std::size_t side = 0; side < 2; ++side) {
    if (row.solid[side] < 0) continue;
    const rigid::Rigid& solid = arena.solids[at(row.solid[side])];
    if (!solid.is_free()) continue;
    solids[at(row.solid[side])].push(solid.inverse_mass, row.point,
                                     side == 0 ? impulse : Vec3(-impulse));
  }
}

/// One row to its target while all else stands, and its friction to its best within the cone. What
/// the first gives acts along the normal, so that the slip across it stays. Answers how far the row
/// was from its target, m/s.
double solve_row(const Arena& arena, const std::span<const RowPart>& parts, bool friction, Row& row,
                 std::vector<Vec4>& v, std::vector<rigid::RigidMotion>& solids) {
  const Relative now = relative(parts, v);
  const Vec3 of_solids = relative(row, solids);
  const Vec3& normal = row.parting.normal;
  const double missing = row.target - normal.dot(now.centers.head<3>() + of_solids);
  const double after = std::max(0.0, row.impulse + missing * row.inverse_diagonal);
  const double change = after - row.impulse;
  row.impulse = after;
  Vec3 drag_change = Vec3::Zero();
  const double most = row.friction * after;
  if (friction && row.inverse_tangential > 0.0 && (most > 0.0 || !row.drag.isZero(0.0))) {
    Vec3 slip = now.surfaces.head<3>() + of_solids;
    slip -= normal.dot(slip) * normal;
    Vec3 drag = row.drag - row.inverse_tangential * slip;
    const double size = drag.norm();
    if (size > most) drag *= most / size;
    drag_change = drag - row.drag;
    row.drag = drag;
  }
  if (change != 0.0 || !drag_change.isZero(0.0)) {
    push(parts, padded(change * normal), padded(drag_change), v);
    push(arena, row, change * normal + drag_change, solids);
  }
  if (change == 0.0) return std::max(0.0, missing);
  return std::min(std::fabs(missing), std::fabs(change) / row.inverse_diagonal);
}

}  // namespace

void push_with(const Arena& arena, const Rows& rows, const Row& row, Motion& motion) {
  for (const RowPart& part : rows.of(row))
    motion.v[at(part.phyxel)] +=
        part.given * (row.impulse * row.parting.normal) + part.rubbed * row.drag;
  push(arena, row, row.impulse * row.parting.normal + row.drag, motion.solids);
}

Projection project(const Arena& arena, Rows& rows, const ProjectSettings& s, Motion& motion) {
  const StageScope timed("project");
  Projection out;
  std::vector<Vec4> v;
  pad(motion.v, v);
  while (out.sweeps < s.max_sweeps) {
    ++out.sweeps;
    out.worst = 0.0;
    for (Row& row : rows.rows) {
      if (!(row.inverse_diagonal > 0.0)) continue;
      out.worst =
          std::max(out.worst, solve_row(arena, rows.of(row), s.friction, row, v, motion.solids));
    }
    if (out.worst <= s.tolerance) break;
  }
  unpad(v, motion.v);
  return out;
}

int slow_down(const Arena& arena, const std::vector<Open>& open, Motion& motion) {
  const auto bodies = arena.friction.size();
  const auto is_held = [&](int body) {
    const int solid = arena.solid_of[at(body)];
    return solid >= 0 && !arena.solids[at(solid)].is_free();
  };
  DisjointSets islands(static_cast<int>(bodies));
  std::vector<bool> touched(bodies, false), anchored(bodies, false);
  for (const Open& one : open) {
    const auto [upper, lower] = one.bodies;
    touched[at(upper)] = true;
    if (is_held(lower)) {
      anchored[at(upper)] = true;
      continue;
    }
    touched[at(lower)] = true;
    islands.join(upper, lower);
  }
  std::vector<double> share(bodies, 1.0), mass(bodies, 0.0);
  std::vector<Vec3> momentum(bodies, Vec3::Zero());
  std::vector<bool> held(bodies, false);
  const auto island = [&](int body) { return at(islands.name_of(body)); };
  for (const Open& one : open) {
    double& least = share[island(one.bodies[0])];
    least = std::min(least, one.share);
  }
  const auto weigh = [&](int body, double m, const Vec3& v, bool fixed) {
    const std::size_t in = island(body);
    mass[in] += m;
    momentum[in] += m * v;
    if (fixed) held[in] = true;
  };
  for (int i = 0; i < arena.phyxels(); ++i)
    weigh(arena.body_of[at(i)], arena.mass[at(i)], motion.v[at(i)],
          arena.inverse_mass[at(i)] == 0.0);
  for (std::size_t s = 0; s < arena.solids.size(); ++s)
    if (arena.solids[s].is_free())
      weigh(arena.solids[s].body, 1.0 / arena.solids[s].inverse_mass, motion.solids[s].velocity,
            false);
  for (std::size_t b = 0; b < bodies; ++b)
    if (anchored[b]) held[island(static_cast<int>(b))] = true;
  const auto slow = [&](int body, Vec3& v) {
    const std::size_t in = island(body);
    const Vec3 mean = held[in] ? Vec3(Vec3::Zero()) : Vec3(momentum[in] / mass[in]);
    v = mean + share[in] * (v - mean);
    return share[in];
  };
  for (int i = 0; i < arena.phyxels(); ++i)
    if (touched[at(arena.body_of[at(i)])] && arena.inverse_mass[at(i)] > 0.0)
      slow(arena.body_of[at(i)], motion.v[at(i)]);
  for (std::size_t s = 0; s < arena.solids.size(); ++s)
    if (touched[at(arena.solids[s].body)] && arena.solids[s].is_free())
      motion.solids[s].angular *= slow(arena.solids[s].body, motion.solids[s].velocity);
  return static_cast<int>(std::count(touched.begin(), touched.end(), true));
}

}  // namespace repose::surfel
