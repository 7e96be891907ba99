#pragma once

#include <array>
#include <span>
#include <vector>

#include "repose/solve/linear_program.h"

#include "separations.h"

namespace repose::pile {

/// Bounds on one step: |axis_k . x| <= width_k, farther along `down` if depth says so.
struct StepBounds {
  std::array<Vec3, 3> axis;                 // orthonormal, the same for every mover
  std::vector<std::array<double, 6>> room;  // by mover, m: along +axis_k, then along -axis_k
  std::vector<double> turn;                 // by mover, rad, about each axis; empty: none turns
};
/// The farthest any point of each mover can go within its bounds, m.
std::vector<double> travel_of(const Arena& arena, const StepBounds& bounds);

StepBounds rotated_bounds(const Arena& arena, double half_width);
/// The same with a cube of its own for each mover, m.
StepBounds rotated_bounds(const Arena& arena, std::span<const double> half_widths);
/// Along gravity and across it; `fall` is each mover's depth below, m.
StepBounds upright_bounds(const Arena& arena, double half_width, std::span<const double> fall);

/// The linear program of a step in units of radius and weight. Row k < separations.size() keeps
/// separation k; the step's bounds follow.
struct StepProgram {
  solve::LinearProgram lp;
  std::vector<int> first_rows;  // to begin with: bounds and near pairs
  std::vector<double> guess;    // of the answer; empty: none
};
/// `caution` is that of add_potentials; `keep` is what each separation must keep free, m.
/// `expected_way`, mean radii, is how far movers will go, about: fewer pairs enter at once where it
/// is short; 0: not known.
StepProgram assemble_program(const Arena& arena, const Placement& at,
                             std::span<const Separation> separations, std::span<const double> keep,
                             const StepBounds& bounds, double caution, const PileSettings& settings,
                             double expected_way = 0.0);

/// The answer of a program whose movers go the given ways (m) without turning.
std::vector<double> answer_of_way(const Arena& arena, std::span<const Vec3> way);

/// A half-space found beyond the start of a step: at the place `at` of the two movers their pieces
/// are `gap` apart along the normal, each side held at its own point.
struct FarSeparation {
  int a = -1, b = -1;           // movers; a is -1 for a wall
  Vec3 normal = Vec3::UnitZ();  // unit, from a to b
  Vec3 arm_a = Vec3::Zero();    // m, from the centre there to the point
  Vec3 arm_b = Vec3::Zero();
  double gap = 0.0;                                  // m
  double start_gap = 0.0;                            // m, of the same pieces
  Vec3 way_a = Vec3::Zero(), turn_a = Vec3::Zero();  // of the motion that leads there
  Vec3 way_b = Vec3::Zero(), turn_b = Vec3::Zero();
};
/// Adds its row: the gap there changed to first order by how the step differs from that motion is
/// at least `keep` (m). The start itself is not cut off.
void add_far_separation(StepProgram& program, const Arena& arena, const FarSeparation& far,
                        double keep);

/// Entries of a . (displacement of the mover's point at `arm`, m, from its centre) for the row that
/// end_row will close.
void add_entries(solve::LinearProgram& lp, const Mover& mover, const Vec3& a, const Vec3& arm);

/// What each separation keeps free so that rounding makes no overlap, m.
std::vector<double> margins_of(const Arena& arena, std::span<const Separation> separations,
                               double margin);

}  // namespace repose::pile
