#include "rows.h"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

#include "repose/base/at.h"
#include "repose/math/dense.h"

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

/// Adds a side's parts; those of a phyxel that both sides stand on become one. False: its
/// neighbourhood is flat, so that friction acts at the ball's centre.
bool add_side(const Arena& arena, const Motion& motion, const Balls& balls, int ball, double sign,
              Row& row, Rows& out) {
  const Carriers carriers = arena.carrying(ball);
  const Vec3 way = way_at_rest(motion, balls, carriers, ball, row.point);
  const auto [upper, lower] = bodies_of(arena, row.key);
  const bool merge = upper == lower;
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
  return !way.isZero(0.0);
}

/// 1/kg; how fast a push at the contact point moves a solid there, in all directions.
Mat3 mobility(const Arena& arena, const Motion& motion, int solid, const Vec3& point) {
  const Vec3 arm = point - motion.solids[at(solid)].center;
  Mat3 cross;
  cross << 0.0, -arm.z(), arm.y(), arm.z(), 0.0, -arm.x(), -arm.y(), arm.x(), 0.0;
  return arena.solids[at(solid)].inverse_mass * Mat3::Identity() +
         cross.transpose() * motion.solids[at(solid)].inverse_inertia * cross;
}

/// The largest eigenvalue of a symmetric matrix across a unit vector.
double most_across(const Mat3& matrix, const Vec3& normal) {
  const Mat3 across = Mat3::Identity() - normal * normal.transpose();
  return std::max(0.0, SymmetricEigen<Mat3>(across * matrix * across).values[2]);
}

/// Sets target and diagonals from gap and masses.
void weigh(const Arena& arena, const Motion& motion, double keep, double h, Row& row, Rows& out) {
  const double missing = keep - row.parting.gap;
  row.target = (missing > 0.0 ? kRecovery : 1.0) * missing / h;
  double diagonal = 0.0, tangential = 0.0;
  for (RowPart& part : std::span(out.parts).subspan(at(row.first_part))) {
    part.given = part.weight * arena.inverse_mass[at(part.phyxel)];
    part.rubbed = part.surface * arena.inverse_mass[at(part.phyxel)];
    diagonal += part.weight * part.given;
    tangential += part.surface * part.rubbed;
  }
  for (const int solid : row.solid) {
    if (solid < 0 || !arena.solids[at(solid)].is_free()) continue;
    const Mat3 gives = mobility(arena, motion, solid, row.point);
    diagonal += row.parting.normal.dot(gives * row.parting.normal);
    tangential += most_across(gives, row.parting.normal);
  }
  row.inverse_diagonal = diagonal > 0.0 ? 1.0 / diagonal : 0.0;
  row.inverse_tangential = tangential > 0.0 ? 1.0 / tangential : 0.0;
}

}  // namespace

std::array<int, 2> bodies_of(const Arena& arena, const RowKey& key) {
  const auto of_solid = [&](int s) { return arena.solids[at(s)].body; };
  if (key.pair.ball < 0) return {of_solid(key.touching.upper), of_solid(key.touching.lower)};
  return {arena.ball_body[at(key.pair.ball)],
          key.pair.other >= 0 ? arena.ball_body[at(key.pair.other)] : of_solid(key.pair.solid)};
}

double speed_of(const Motion& motion, const Balls& balls, const Pair& pair,
                const Parting& parting) {
  const Vec3& upper = balls.velocities[at(pair.ball)];
  const Vec3 lower = pair.other >= 0
                         ? balls.velocities[at(pair.other)]
                         : motion.solids[at(pair.solid)].velocity_at(balls.centers[at(pair.ball)]);
  return parting.normal.dot(upper - lower);
}

double speed_of(const Motion& motion, const Touching& touching, const Vec3& normal,
                const Vec3& point) {
  return normal.dot(motion.solids[at(touching.upper)].velocity_at(point) -
                    motion.solids[at(touching.lower)].velocity_at(point));
}

void add_row(const Arena& arena, const Motion& motion, const Balls& balls, const Pair& pair,
             const Parting& parting, double keep, double h, Rows& out) {
  Row row;
  row.key.pair = pair;
  row.parting = parting;
  row.point = balls.centers[at(pair.ball)] -
              (arena.radius[at(pair.ball)] + 0.5 * parting.gap) * parting.normal;
  const double own = arena.friction[at(arena.ball_body[at(pair.ball)])];
  row.first_part = static_cast<int>(out.parts.size());
  const bool turns = add_side(arena, motion, balls, pair.ball, 1.0, row, out);
  if (pair.other >= 0) {
    add_side(arena, motion, balls, pair.other, -1.0, row, out);
    row.friction = std::min(own, arena.friction[at(arena.ball_body[at(pair.other)])]);
  } else {
    // friction acts on both at the same place
    if (!turns) row.point = balls.centers[at(pair.ball)];
    row.solid[1] = pair.solid;
    row.friction = std::min(own, arena.solids[at(pair.solid)].friction);
  }
  weigh(arena, motion, keep, h, row, out);
  out.rows.push_back(row);
}

void add_row(const Arena& arena, const Motion& motion, const Touching& touching,
             const Parting& parting, const Vec3& point, double keep, double h, Rows& out) {
  Row row;
  row.key = {{-1, -1, -1, -1}, touching};
  row.parting = parting;
  row.point = point;
  row.first_part = static_cast<int>(out.parts.size());
  row.solid = {touching.upper, touching.lower};
  row.friction = std::min(arena.solids[at(touching.upper)].friction,
                          arena.solids[at(touching.lower)].friction);
  weigh(arena, motion, keep, h, row, out);
  out.rows.push_back(row);
}

}  // namespace repose::surfel
