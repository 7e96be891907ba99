#include "stable_step.h"

#include <cmath>
#include <limits>

#include "repose/base/random.h"

#include "elasticity.h"

namespace repose::surfel {

namespace {

constexpr int kRounds = 60;
/// A power iteration comes to the largest frequency from below.
constexpr double kMargin = 0.95;
/// Displacements of the difference quotient, of the least distance between neighbours.
constexpr double kDifference = 1e-5;

}  // namespace

double stable_step_of(const Arena& arena, Stress law) {
  double least = std::numeric_limits<double>::infinity();
  for (const Neighbour& n : arena.neighbours) least = std::min(least, n.way.norm());
  if (!std::isfinite(least)) return least;
  Motion motion;
  motion.plastic.assign(arena.rest.size(), Mat3::Identity());
  Random random(1);
  std::vector<Vec3> u(arena.rest.size()), forces;
  for (Vec3& one : u)
    one = Vec3(random.between(-1.0, 1.0), random.between(-1.0, 1.0), random.between(-1.0, 1.0));
  double squared = 0.0;
  for (int round = 0; round < kRounds; ++round) {
    double norm = 0.0;
    for (const Vec3& one : u) norm = std::max(norm, one.norm());
    if (!(norm > 0.0)) break;
    motion.x = arena.rest;
    for (std::size_t i = 0; i < u.size(); ++i) motion.x[i] += (kDifference * least / norm) * u[i];
    elastic_forces(arena, law, motion, forces);
    // Rayleigh's quotient of the last direction, then the next
    double up = 0.0, down = 0.0;
    for (std::size_t i = 0; i < u.size(); ++i) {
      const Vec3 d = motion.x[i] - arena.rest[i];
      up -= d.dot(forces[i]);
      down += arena.mass[i] * d.squaredNorm();
      u[i] = -arena.inverse_mass[i] * forces[i];
    }
    squared = std::max(squared, up / down);
  }
  return squared > 0.0 ? kMargin * 2.0 / std::sqrt(squared)
                       : std::numeric_limits<double>::infinity();
}

}  // namespace repose::surfel
