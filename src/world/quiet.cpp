#include "repose/world/quiet.h"

#include <algorithm>
#include <cmath>

namespace repose {

double last_change(const Problem& problem) {
  double out = 0.0;
  for (const Force& force : problem.forces)
    if (force.kind == ForceKind::pull && !force.times.empty())
      out = std::max(out, force.times.back());
  for (const Body& body : problem.bodies)
    if (body.path != nullptr) out = std::max(out, body.path->times.back());
  return out;
}

double fall_energy(const Problem& problem) {
  double out = 0.0;
  for (const Body& body : problem.bodies)
    if (!body.held() && std::isfinite(body.size()))
      out += body.mass * problem.gravity.norm() * body.size();
  return out;
}

bool is_quiet(const Problem& problem, double time, double h, double kinetic, double most,
              double& quiet) {
  quiet = kinetic <= most ? quiet + h : 0.0;
  return quiet >= kQuietTime && time > last_change(problem);
}

}  // namespace repose
