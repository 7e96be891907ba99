#include "stable_step.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "repose/base/at.h"
#include "repose/base/random.h"

#include "elasticity.h"

namespace repose::molecule {

namespace {

constexpr int kRounds = 40;
/// The iteration comes from below; this covers what it still lacks.
constexpr double kRoundUp = 1.05;
constexpr std::uint64_t kSeed = 17;

/// Every spring's eigenvalue with masses shared in proportion to stiffness.
double plain_bound(const Arena& arena) {
  std::vector<double> held(arena.mass.size(), 0.0);
  for (const Spring& s : arena.springs) {
    held[at(s.a)] += s.stiffness;
    held[at(s.b)] += s.stiffness;
  }
  double out = 0.0;
  for (const Spring& s : arena.springs)
    out = std::max(out, held[at(s.a)] * arena.inverse_mass[at(s.a)] +
                            held[at(s.b)] * arena.inverse_mass[at(s.b)]);
  return out;
}

double iterated(const Arena& arena) {
  Random random(kSeed);
  std::vector<double> u(arena.mass.size()), next(arena.mass.size());
  for (std::size_t i = 0; i < u.size(); ++i)
    u[i] = arena.inverse_mass[i] > 0.0 ? random.between(-1.0, 1.0) : 0.0;
  double lambda = 0.0;
  for (int round = 0; round < kRounds; ++round) {
    std::fill(next.begin(), next.end(), 0.0);
    for (const Spring& s : arena.springs) {
      const double pull = s.stiffness * (u[at(s.a)] - u[at(s.b)]);
      next[at(s.a)] += pull;
      next[at(s.b)] -= pull;
    }
    double above = 0.0, below = 0.0;
    for (std::size_t i = 0; i < u.size(); ++i) {
      above += u[i] * next[i];
      below += arena.mass[i] * u[i] * u[i];
      next[i] *= arena.inverse_mass[i];
    }
    if (below > 0.0) lambda = std::max(lambda, above / below);
    double size = 0.0;
    for (const double value : next) size = std::max(size, std::abs(value));
    if (!(size > 0.0)) break;
    for (std::size_t i = 0; i < u.size(); ++i) u[i] = next[i] / size;
  }
  return lambda;
}

}  // namespace

double stable_step_of(const Arena& arena) {
  const double bound = plain_bound(arena);
  if (!(bound > 0.0)) return std::numeric_limits<double>::infinity();
  return 2.0 / std::sqrt(std::min(bound, kRoundUp * iterated(arena)));
}

double stable_step_damped(const Arena& arena, double h) {
  double most = 0.0;
  for (const Spring& s : arena.springs)
    if (s.shared_mass > 0.0) most = std::max(most, damping_mass(s, h) / s.shared_mass);
  return arena.stable_step * std::sqrt(0.5 * (2.0 - most));
}

}  // namespace repose::molecule
