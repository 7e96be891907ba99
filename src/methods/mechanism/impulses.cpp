#include "repose/mechanism/impulses.h"

#include "strike.h"

namespace repose::mechanism {

Impulses solve_impulses(const ForceProblem& problem, std::span<const double> restitution,
                        const ImpulseSettings& settings) {
  ForceSolver solver = blow_solver(settings.forces);
  return strike(problem, restitution, settings, {}, solver);
}

}  // namespace repose::mechanism
