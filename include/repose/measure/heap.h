#pragma once

#include <optional>
#include <vector>

#include "repose/measure/grains.h"

namespace repose::measure {

/// A cone laid through the free surface of a heap by least squares.
struct HeapSlope {
  double angle_deg = 0.0;
  double error_deg = 0.0;  // standard error: jackknife over twelve sectors
  Vec3 apex = Vec3::Zero();
  double residual = 0.0;  // m, root mean square of the heights
  int points = 0;
};
/// Points are (x, y, height). None where they do not tell a cone.
std::optional<HeapSlope> fit_cone(const std::vector<Vec3>& points);
/// Of the flank between a fifth and four fifths of the heap's height.
std::optional<HeapSlope> angle_of_repose(const Grains& grains);

}  // namespace repose::measure
