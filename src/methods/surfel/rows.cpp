#include "rows.h"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

namespace repose::surfel {

namespace {

/// A gap below the one to keep grows by this share of what is missing a step.
constexpr double kRecovery = 0.1;
/// A ball's neighbourhood whose gradient has less volume is too flat to turn with.
constexpr double kFlatVolume = 0.05;

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

/// Weights of a ball's phyxels in the motion of a point fixed to it: w_k + slope_k . F^-1 (q - c).
/// They are linearly complete, so that a force there keeps momentum and angular momentum.
std::vector<double> weights_at(const Arena& arena, const Motion& motion, const Balls& balls,
                               int ball, const Vec3& point) {
  const auto carriers = arena.carrying(ball);
  std::vector<double> out;
  for (const Carrier& carrier : carriers) out.push_back(carrier.weight);
  Mat3 gradient = Mat3::Zero();
  for (const Carrier& carrier : carriers)
    gradient += motion.x[at(carrier.phyxel)] * carrier.slope.transpose();
  if (!(std::fabs(gradient.determinant()) > kFlatVolume)) return out;
  const Vec3 way = gradient.inverse() * (point - balls.centers[at(ball)]);
  for (std::size_t k = 0; k < out.size(); ++k) out[k] += carriers[k].slope.dot(way);
  return out;
}

/// Adds a side's parts; those of a phyxel that both sides stand on become one.
void add_side(const Arena& arena, const Motion& motion, const Balls& balls, int ball, double sign,
              Row& row, Rows& out) {
  const std::vector<double> surface = weights_at(arena, motion, balls, ball, row.point);
  const auto carriers = arena.carrying(ball);
  const auto mine = out.parts.begin() + row.first_part;
  const bool merge = row.pair.other >= 0 &&
                     arena.ball_body[at(row.pair.ball)] == arena.ball_body[at(row.pair.other)];
  const auto before = static_cast<std::size_t>(row.parts);
  std::vector<RowPart> more;
  for (std::size_t k = 0; k < carriers.size(); ++k) {
    const RowPart part{carriers[k].phyxel, sign * carriers[k].weight, sign * surface[k]};
    auto same = mine + static_cast<std::ptrdiff_t>(before);
    if (merge)
      same = std::find_if(mine, mine + static_cast<std::ptrdiff_t>(before),
                          [&](const RowPart& p) { return p.phyxel == part.phyxel; });
    if (same == mine + static_cast<std::ptrdiff_t>(before)) {
      more.push_back(part);
    } else {
      same->weight += part.weight;
      same->surface += part.surface;
    }
  }
  out.parts.insert(out.parts.end(), more.begin(), more.end());
  row.parts += static_cast<int>(more.size());
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
  for (const RowPart& part : out.of(row)) {
    diagonal += part.weight * part.weight * arena.inverse_mass[at(part.phyxel)];
    tangential += part.surface * part.surface * arena.inverse_mass[at(part.phyxel)];
  }
  row.inverse_diagonal = diagonal > 0.0 ? 1.0 / diagonal : 0.0;
  row.inverse_tangential = tangential > 0.0 ? 1.0 / tangential : 0.0;
  out.rows.push_back(row);
}

}  // namespace repose::surfel
