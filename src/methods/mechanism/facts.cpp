#include "facts.h"

#include <fmt/format.h>

namespace repose::mechanism {
namespace {

/// Joints may drift by this share of the size of what they hold.
constexpr double kMostDrift = 1e-6;

}  // namespace

Json joints_fact(const Dynamics::Drift& worst) {
  return Json::Object{{"drift", known(worst.absolute)}, {"drift_relative", known(worst.relative)}};
}

Json forces_fact(const SolveTally& solves) {
  return Json::Object{{"solves", solves.solves},
                      {"worst_residual", known(solves.worst_residual)},
                      {"not_converged", solves.not_converged},
                      {"inconsistent", solves.inconsistent},
                      {"stopped", solves.stopped}};
}

Promise joints_promise(const Dynamics::Drift& worst) {
  return {"joints hold", fmt::format("apart by at most {:g} of size", kMostDrift),
          fmt::format("{:.3g} of size, {:.3g} m", worst.relative, worst.absolute),
          worst.relative <= kMostDrift};
}

Promise forces_promise(const SolveTally& solves) {
  const double limit = ForceSettings{}.residual;
  return {"forces satisfy every contact and joint",
          fmt::format("error of the forces at most {:g} of the largest", limit),
          fmt::format("at most {:.3g} in {} solves, {}", solves.worst_residual, solves.solves,
                      solves.not_converged == 0
                          ? std::string("all of them converged")
                          : fmt::format("{} of them not converged", solves.not_converged)),
          solves.not_converged == 0 && solves.worst_residual <= limit};
}

}  // namespace repose::mechanism
