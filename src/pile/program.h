#pragma once

#include <array>
#include <span>
#include <vector>

#include "repose/pile/linear_program.h"

#include "separations.h"

namespace repose::pile {

/// Bounds on one step: |axis_k . x| <= width_k, farther along `down` if depth says so.
struct StepBounds {
  std::array<Vec3, 3> axis;                 // orthonormal, the same for every mover
  std::vector<std::array<double, 6>> room;  // by mover, m: along +axis_k, then along -axis_k
  double turn = 0.0;                        // rad, about each axis; of those that turn
};
/// The farthest any point of each mover can go within its bounds, m.
std::vector<double> reach_of(const Arena& arena, const StepBounds& bounds);

StepBounds rotated_bounds(const Arena& arena, double half_width);
/// Along gravity and across it; `fall` is each mover's depth below, m.
StepBounds upright_bounds(const Arena& arena, double half_width, std::span<const double> fall);

/// The linear program of a step in units of radius and weight. Row k < separations.size() keeps
/// separation k; the step's bounds follow.
struct StepProgram {
  LinearProgram lp;
  std::vector<int> first_rows;  // to begin with: bounds and near pairs
};
/// `caution` is that of add_potentials.
StepProgram assemble_program(const Arena& arena, const Placement& at,
                             std::span<const Separation> separations, const StepBounds& bounds,
                             double caution, const PileSettings& settings);

}  // namespace repose::pile
