#pragma once

#include <vector>

#include "normal_fan.h"

namespace repose::poses {

/// For every face the part of the sphere of directions whose descent ends there; they sum to 1. The
/// boundaries of the basins are arcs of great circles and are followed exactly, from the nearest
/// vertex outwards: what is left is rounding.
std::vector<double> basin_shares(const NormalFan& fan);

/// Solid angle of a convex spherical polygon of unit corners, counter-clockwise from outside, sr.
double solid_angle(const std::vector<Vec3>& corners);

}  // namespace repose::poses
