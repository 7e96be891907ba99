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

/// One row to its target while all else stands, and its friction to its best within the cone. What
/// the first gives acts along the normal, so that the slip across it stays. Answers how far the row
/// was from its target, m/s.
double solve_row(const std::span<const RowPart>& parts, bool friction, Row& row,
                 std::vector<Vec4>& v) {
  const Relative now = relative(parts, v);
  const Vec3& normal = row.parting.normal;
  const double missing = row.target - normal.dot(now.centers.head<3>() - row.lower_speed);
  const double after = std::max(0.0, row.impulse + missing * row.inverse_diagonal);
  const double change = after - row.impulse;
  row.impulse = after;
  Vec3 drag_change = Vec3::Zero();
  const double most = row.friction * after;
  if (friction && row.inverse_tangential > 0.0 && (most > 0.0 || !row.drag.isZero(0.0))) {
    Vec3 slip = now.surfaces.head<3>() - row.lower_speed;
    slip -= normal.dot(slip) * normal;
    Vec3 drag = row.drag - row.inverse_tangential * slip;
    const double size = drag.norm();
    if (size > most) drag *= most / size;
    drag_change = drag - row.drag;
    row.drag = drag;
  }
  if (change != 0.0 || !drag_change.isZero(0.0))
    push(parts, padded(change * normal), padded(drag_change), v);
  if (change == 0.0) return std::max(0.0, missing);
  return std::min(std::fabs(missing), std::fabs(change) / row.inverse_diagonal);
}

}  // namespace

void push_with(const Rows& rows, const Row& row, Motion& motion) {
  for (const RowPart& part : rows.of(row))
    motion.v[at(part.phyxel)] +=
        part.given * (row.impulse * row.parting.normal) + part.rubbed * row.drag;
}

Projection project(Rows& rows, const ProjectSettings& s, Motion& motion) {
  const StageScope timed("project");
  Projection out;
  std::vector<Vec4> v;
  pad(motion.v, v);
  while (out.sweeps < s.max_sweeps) {
    ++out.sweeps;
    out.worst = 0.0;
    for (Row& row : rows.rows) {
      if (!(row.inverse_diagonal > 0.0)) continue;
      out.worst = std::max(out.worst, solve_row(rows.of(row), s.friction, row, v));
    }
    if (out.worst <= s.tolerance) break;
  }
  unpad(v, motion.v);
  return out;
}

int slow_down(const Arena& arena, const std::vector<Open>& open, Motion& motion) {
  const auto bodies = arena.friction.size();
  const auto first_of = [&](int ball) { return arena.ball_body[at(ball)]; };
  DisjointSets islands(static_cast<int>(bodies));
  std::vector<bool> touched(bodies, false), anchored(bodies, false);
  for (const Open& one : open) {
    const Pair& pair = one.pair;
    touched[at(first_of(pair.ball))] = true;
    if (pair.other < 0) {
      anchored[at(first_of(pair.ball))] = true;
      continue;
    }
    touched[at(first_of(pair.other))] = true;
    islands.join(first_of(pair.ball), first_of(pair.other));
  }
  std::vector<double> share(bodies, 1.0), mass(bodies, 0.0);
  std::vector<Vec3> momentum(bodies, Vec3::Zero());
  std::vector<bool> held(bodies, false);
  const auto island = [&](int body) { return at(islands.name_of(body)); };
  for (const Open& one : open) {
    double& least = share[island(first_of(one.pair.ball))];
    least = std::min(least, one.share);
  }
  for (int i = 0; i < arena.phyxels(); ++i) {
    const std::size_t in = island(arena.body_of[at(i)]);
    mass[in] += arena.mass[at(i)];
    momentum[in] += arena.mass[at(i)] * motion.v[at(i)];
    if (arena.inverse_mass[at(i)] == 0.0) held[in] = true;
  }
  for (std::size_t b = 0; b < bodies; ++b)
    if (anchored[b]) held[island(static_cast<int>(b))] = true;
  for (int i = 0; i < arena.phyxels(); ++i) {
    const int body = arena.body_of[at(i)];
    if (!touched[at(body)] || arena.inverse_mass[at(i)] == 0.0) continue;
    const std::size_t in = island(body);
    const Vec3 mean = held[in] ? Vec3(Vec3::Zero()) : Vec3(momentum[in] / mass[in]);
    motion.v[at(i)] = mean + share[in] * (motion.v[at(i)] - mean);
  }
  return static_cast<int>(std::count(touched.begin(), touched.end(), true));
}

}  // namespace repose::surfel
