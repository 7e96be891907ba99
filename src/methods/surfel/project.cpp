#include "project.h"

#include <algorithm>
#include <cmath>

#include "repose/base/disjoint_sets.h"
#include "repose/base/stage_clock.h"

namespace repose::surfel {

namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

/// Velocity of the upper side against the lower, of centres or at the contact point.
template <double RowPart::*Weight>
Vec3 relative(const Rows& rows, const Row& row, const Motion& motion) {
  Vec3 out = -row.lower_speed;
  for (const RowPart& part : rows.of(row)) out += part.*Weight * motion.v[at(part.phyxel)];
  return out;
}

template <double RowPart::*Weight>
void push(const Arena& arena, const Rows& rows, const Row& row, const Vec3& impulse,
          Motion& motion) {
  for (const RowPart& part : rows.of(row))
    motion.v[at(part.phyxel)] += (part.*Weight * arena.inverse_mass[at(part.phyxel)]) * impulse;
}

/// One row to its target while all else stands; answers how far it was from it, m/s.
double part_sides(const Arena& arena, const Rows& rows, Row& row, Motion& motion) {
  const double missing =
      row.target - row.parting.normal.dot(relative<&RowPart::weight>(rows, row, motion));
  const double after = std::max(0.0, row.impulse + missing * row.inverse_diagonal);
  const double change = after - row.impulse;
  if (change == 0.0) return std::max(0.0, missing);
  row.impulse = after;
  push<&RowPart::weight>(arena, rows, row, change * row.parting.normal, motion);
  return std::min(std::fabs(missing), std::fabs(change) / row.inverse_diagonal);
}

/// Friction of one row to its best while all else stands, within the cone.
void hold(const Arena& arena, const Rows& rows, Row& row, Motion& motion) {
  const double most = row.friction * row.impulse;
  if (most == 0.0 && row.drag.isZero(0.0)) return;
  Vec3 slip = relative<&RowPart::surface>(rows, row, motion);
  slip -= row.parting.normal.dot(slip) * row.parting.normal;
  Vec3 after = row.drag - row.inverse_tangential * slip;
  const double size = after.norm();
  if (size > most) after *= most / size;
  push<&RowPart::surface>(arena, rows, row, after - row.drag, motion);
  row.drag = after;
}

}  // namespace

void push_with(const Arena& arena, const Rows& rows, const Row& row, Motion& motion) {
  push<&RowPart::weight>(arena, rows, row, row.impulse * row.parting.normal, motion);
  push<&RowPart::surface>(arena, rows, row, row.drag, motion);
}

Projection project(const Arena& arena, Rows& rows, const ProjectSettings& s, Motion& motion) {
  const StageScope timed("project");
  Projection out;
  while (out.sweeps < s.max_sweeps) {
    ++out.sweeps;
    out.worst = 0.0;
    for (Row& row : rows.rows) {
      if (!(row.inverse_diagonal > 0.0)) continue;
      out.worst = std::max(out.worst, part_sides(arena, rows, row, motion));
      if (s.friction && row.friction > 0.0 && row.inverse_tangential > 0.0)
        hold(arena, rows, row, motion);
    }
    if (out.worst <= s.tolerance) break;
  }
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
