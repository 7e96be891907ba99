#include "facts.h"

#include <fmt/format.h>

namespace repose::mechanism {
namespace {

/// Joints may drift by this share of the size of what they hold.
constexpr double kMostDrift = 1e-6;

std::string promise(const char* name, const std::string& promised, const std::string& measured,
                    bool kept) {
  return fmt::format(R"({{"name": "{}", "promised": "{}", "measured": "{}", "kept": {}}})", name,
                     promised, measured, kept);
}

}  // namespace

std::string joints_json(const Dynamics::Drift& worst) {
  return fmt::format(R"({{"drift": {}, "drift_relative": {}}})", worst.absolute, worst.relative);
}

std::string forces_json(const SolveTally& solves) {
  return fmt::format(
      R"({{"solves": {}, "worst_residual": {}, "not_converged": {}, "inconsistent": {}, "stopped": {}}})",
      solves.solves, solves.worst_residual, solves.not_converged, solves.inconsistent,
      solves.stopped);
}

std::string promises_json(const Dynamics::Drift& worst, const SolveTally& solves, bool has_joints) {
  const double limit = ForceSettings{}.residual;
  std::string out = promise("forces satisfy every contact and joint",
                            fmt::format("complementarity residual at most {:g}", limit),
                            fmt::format("at most {:.3g} in {} solves, {} of them not converged",
                                        solves.worst_residual, solves.solves, solves.not_converged),
                            solves.not_converged == 0 && solves.worst_residual <= limit);
  if (has_joints)
    out += ", " + promise("joints hold", fmt::format("drift at most {:g} of size", kMostDrift),
                          fmt::format("{:.3g} of size, {:.3g} m", worst.relative, worst.absolute),
                          worst.relative <= kMostDrift);
  return "[" + out + "]";
}

}  // namespace repose::mechanism
