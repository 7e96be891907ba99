#include <algorithm>
#include <cmath>

#include "repose/base/check.h"
#include "repose/mechanism/impulses.h"

#include "contact_forces_scaled.h"
#include "strike.h"

namespace repose::mechanism {
namespace {

/// Share of the sliding speed that the accelerations may add before the blow: enough to tell which
/// way contacts are pressed, too little to matter.
constexpr double kInstant = 1e-7;
/// An impulse smaller than this share of the sliding momentum is none.
constexpr double kNoBlow = 1e-4;

struct Sizes {
  double velocity = 0.0, acceleration = 0.0;
};

/// Largest velocity and acceleration in units of sqrt(A_ii).
Sizes sizes_of(const ForceProblem& problem, std::span<const double> velocity,
               std::span<const double> root) {
  Sizes sizes;
  for (std::size_t i = 0; i < problem.rows.size(); ++i) {
    if (root[i] <= 0.0) continue;
    sizes.velocity = std::max(sizes.velocity, std::abs(velocity[i]) / root[i]);
    sizes.acceleration = std::max(sizes.acceleration, std::abs(problem.rows[i].b) / root[i]);
  }
  return sizes;
}

void refuse(Impulses& impulses, const char* why) {
  impulses.status = ForceStatus::not_converged;
  impulses.why = why;
}

}  // namespace

Impulses solve_inconsistent(const ForceProblem& problem, std::span<const double> velocity,
                            const ImpulseSettings& settings) {
  const std::size_t rows = problem.rows.size();
  REPOSE_CHECK(velocity.size() == rows);
  std::vector<double> root(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    root[i] = std::sqrt(diagonal_of(problem, problem.rows[i]));
  }
  const Sizes sizes = sizes_of(problem, velocity, root);
  Impulses impulses;
  impulses.p.assign(rows, 0.0);
  impulses.velocity.assign(velocity.begin(), velocity.end());
  impulses.states.assign(rows, RowState::unknown);
  if (!(sizes.velocity > 0.0) || !(sizes.acceleration > 0.0)) {
    refuse(impulses, "nothing slides: no impulse can free the contact");
    return impulses;
  }
  // the forces act for an instant, and the blow answers what they have begun
  const double instant = kInstant * sizes.velocity / sizes.acceleration;
  ForceProblem blow = blow_problem(problem);
  for (std::size_t i = 0; i < rows; ++i) {
    blow.rows[i].b = velocity[i] + instant * problem.rows[i].b;
  }
  ForceSolver solver(settings.forces);
  const Forces first = solver.solve(blow);
  if (first.status != ForceStatus::solved) {
    impulses.status = first.status;
    impulses.failed_row = first.failed_row;
    impulses.why = first.why;
    return impulses;
  }
  // the instant goes to zero: the same partition for the velocities alone
  for (std::size_t i = 0; i < rows; ++i) blow.rows[i].b = velocity[i];
  const Forces& forces = solver.solve(blow, {first.states, first.f});
  take(forces, impulses);
  impulses.residual = forces.residual;
  finish(blow, impulses);
  double largest = 0.0;
  for (std::size_t i = 0; i < rows; ++i) {
    largest = std::max(largest, std::abs(impulses.p[i]) * root[i]);
  }
  if (impulses.status == ForceStatus::solved && !(largest > kNoBlow * sizes.velocity)) {
    refuse(impulses, "the impulse that frees the contact is zero");
  }
  return impulses;
}

}  // namespace repose::mechanism
