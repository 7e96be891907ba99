#include "rows.h"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

#include "repose/base/at.h"

#include "padded.h"

namespace repose::surfel {

namespace {

/// A gap below the one to keep grows by this share of what is missing a step.
constexpr double kRecovery = 0.1;
/// A ball's neighbourhood whose gradient has less volume is too flat to turn with.
constexpr double kFlatVolume = 0.05;

/// What a point fixed to a ball adds to the weights of the ball's phyxels in its motion:
/// slope_k . F^-1 (q - c) on w_k. They are linearly complete, so that a force there keeps momentum
/// and angular momentum. Answers F^-1 (q - c); zero where the ball's neighbourhood is flat.
Vec3 way_at_rest(const Motion& motion, const Balls& balls, const Carriers& carriers, int ball,
                 const Vec3& point) {
  Vec4 c0 = Vec4::Zero(), c1 = Vec4::Zero(), c2 = Vec4::Zero();
  for (std::size_t k = 0; k < carriers.size(); ++k) {
    Vec4 x;
    x << motion.x[at(carriers.phyxels[k])], 0.0;
    c0 += carriers.slopes[k][0] * x;
    c1 += carriers.slopes[k][1] * x;
    c2 += carriers.slopes[k][2] * x;
  }
  Mat3 gradient;
  gradient << c0.head<3>(), c1.head<3>(), c2.head<3>();
  if (!(std::fabs(gradient.determinant()) > kFlatVolume)) return Vec3::Zero();
  return gradient.inverse() * (point - balls.centers[at(ball)]);
}

/// Adds a side's parts; those of a phyxel that both sides stand on become one.
void add_side(const Arena& arena, const Motion& motion, const Balls& balls, int ball, double sign,
              Row& row, Rows& out) {
  const Carriers carriers = arena.carrying(ball);
  const Vec3 way = way_at_rest(motion, balls, carriers, ball, row.point);
  const bool merge = row.pair.other >= 0 &&
                     arena.ball_body[at(row.pair.ball)] == arena.ball_body[at(row.pair.other)];
  const std::size_t first = at(row.first_part), before = first + at(row.parts);
  for (std::size_t k = 0; k < carriers.size(); ++k) {
    const double weight = sign * carriers.weights[k];
    const double surface = sign * (carriers.weights[k] + carriers.slopes[k].dot(way));
    std::size_t same = merge ? first : before;
    while (same < before && out.parts[same].phyxel != carriers.phyxels[k]) ++same;
    if (same == before) {
      out.parts.push_back({carriers.phyxels[k], weight, surface});
      ++row.parts;
    } else {
      out.parts[same].weight += weight;
      out.parts[same].surface += surface;
    }
  }
}

}  // namespace

double speed_of(const Motion& motion, const Balls& balls, const Pair& pair,
                const Parting& parting) {
  const Vec3& lower =
      pair.other >= 0 ? balls.velocities[at(pair.other)] : motion.solid_velocities[at(pair.solid)];
  return parting.normal.dot(balls.velocities[at(pair.ball)] - lower);
}

void add_row(const Arena& arena, const Motion& motion, const Balls& balls, const Pair& pair,
             const Parting& parting, double keep, double h, Rows& out) {
  Row row;
  row.pair = pair;
  row.parting = parting;
  row.point = balls.centers[at(pair.ball)] -
              (arena.radius[at(pair.ball)] + 0.5 * parting.gap) * parting.normal;
  const double missing = keep - parting.gap;
  row.target = (missing > 0.0 ? kRecovery : 1.0) * missing / h;
  row.first_part = static_cast<int>(out.parts.size());
  const double own = arena.friction[at(arena.ball_body[at(pair.ball)])];
  add_side(arena, motion, balls, pair.ball, 1.0, row, out);
  if (pair.other >= 0) {
    add_side(arena, motion, balls, pair.other, -1.0, row, out);
    row.friction = std::min(own, arena.friction[at(arena.ball_body[at(pair.other)])]);
  } else {
    row.lower_speed = motion.solid_velocities[at(pair.solid)];
    row.friction = std::min(own, arena.solids[at(pair.solid)].friction);
  }
  double diagonal = 0.0, tangential = 0.0;
  for (RowPart& part : std::span(out.parts).subspan(at(row.first_part))) {
    part.given = part.weight * arena.inverse_mass[at(part.phyxel)];
    part.rubbed = part.surface * arena.inverse_mass[at(part.phyxel)];
    diagonal += part.weight * part.given;
    tangential += part.surface * part.rubbed;
  }
  row.inverse_diagonal = diagonal > 0.0 ? 1.0 / diagonal : 0.0;
  row.inverse_tangential = tangential > 0.0 ? 1.0 / tangential : 0.0;
  out.rows.push_back(row);
}

}  // namespace repose::surfel
