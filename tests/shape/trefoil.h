#pragma once

#include <cmath>
#include <numbers>

#include "repose/shape/make.h"

namespace repose::shape {

/// A closed tube knotted like a clover leaf, 6 m across, whose enclosure over its whole domain
/// says nothing.
inline TubeInput trefoil() {
  TubeInput in;
  for (int k = 0; k < 36; ++k) {
    const double t = 2.0 * std::numbers::pi * k / 36.0;
    in.spine.push_back({std::sin(t) + 2.0 * std::sin(2.0 * t),
                        std::cos(t) - 2.0 * std::cos(2.0 * t), -1.3 * std::sin(3.0 * t)});
  }
  in.radii = {0.53};
  in.closed = true;
  return in;
}

}  // namespace repose::shape
