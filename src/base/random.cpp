#include "repose/base/random.h"

#include <cmath>
#include <numbers>

namespace repose {

double Random::normal() {
  // Box and Muller; 1 - unit() keeps the logarithm finite
  const double radius = std::sqrt(-2.0 * std::log(1.0 - unit()));
  return radius * std::cos(2.0 * std::numbers::pi * unit());
}

}  // namespace repose
