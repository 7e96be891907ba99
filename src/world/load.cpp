#include "repose/world/load.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "repose/base/setting_values.h"

namespace repose {

double connect_strength(const Problem& problem, const Force& connection) {
  double lightest = std::numeric_limits<double>::infinity();
  for (const std::string* name : {&connection.body_a, &connection.body_b}) {
    const int i = name->empty() ? -1 : problem.find_body(*name);
    if (i >= 0 && !problem.bodies[static_cast<std::size_t>(i)].fixed)
      lightest = std::min(lightest, problem.bodies[static_cast<std::size_t>(i)].mass);
  }
  if (std::isinf(lightest)) return 0.0;
  const double g = problem.gravity.norm();
  return number_or(connection.values, "strength", 1.0) * lightest * (g > 0.0 ? g : 1.0);
}

}  // namespace repose
