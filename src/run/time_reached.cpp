#include "repose/run/time_reached.h"

#include <limits>

namespace repose {

bool time_reached(double now, long steps, double time) {
  /// Roundings of a step's time, at most about.
  constexpr double kRoundings = 8.0;
  return !(time - now >
           kRoundings * std::numeric_limits<double>::epsilon() * static_cast<double>(steps) * now);
}

}  // namespace repose
