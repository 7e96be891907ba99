#pragma once

#include <span>
#include <vector>

#include "repose/base/result.h"
#include "repose/solve/linear_program.h"
#include "repose/world/problem.h"
#include "repose/world/state.h"

namespace repose::pile {

/// A potential between two points: of two movers, or of a mover and a fixed point.
struct Link {
  int a = -1;                   // mover, or -1: point_a is fixed
  int b = -1;                   // mover
  Vec3 point_a = Vec3::Zero();  // m; from the mover's centre, world axes at the start, or the world
  AttractionLaw law = AttractionLaw::constant;  // section 5
  double strength = 0.0;                        // N, N m^2 or N/m; negative repels
  double length = 0.0;                          // spring: without force, m
  double soft = 0.0;   // constant: d stands for sqrt(d^2 + soft^2), so that no kink is at d = 0, m
  double range = 0.0;  // short_range: distance of the centres from which on it is flat, m
};

/// phi(d) of a link, J. Zero force lies at phi = 0 where there is such a place.
double potential_of(const Link& link, double distance);
/// phi'(d), N; positive draws together.
double pull_of(const Link& link, double distance);

/// All potentials of a problem beside contact.
struct Potentials {
  std::vector<Vec3> push;  // by mover, N: weight and constant forces
  /// By mover, N: what an unbalanced force is measured by. The weight; where there is none, the
  /// strongest attraction.
  std::vector<double> load;
  std::vector<Link> links;
  bool coupled = true;  // links join the blocks of their movers in the program
};

/// Reads gravity and forces. `mover_of` gives the mover of a body, -1 for a fixed one.
Potentials read_potentials(const Problem& problem, const State& state,
                           std::span<const int> mover_of, std::span<const double> radius);

/// Potential energy, J. Gravity counts from the origin.
double energy_of(const Potentials& potentials, std::span<const Vec3> centers);

/// What the potential falls by when the movers go from one place to another, J; exact to rounding
/// of the change, not of the energy.
double energy_drop(const Potentials& potentials, std::span<const Vec3> from,
                   std::span<const Vec3> displacement);

/// The force on every mover, N: minus the gradient of the energy.
std::vector<Vec3> forces_of(const Potentials& potentials, std::span<const Vec3> centers);

/// Second derivative of a link's energy in x_b - x_a (x_a = 0 where a is -1: fixed), N/m.
struct LinkStiffness {
  int a = -1, b = -1;  // movers
  Mat3 matrix = Mat3::Zero();
};
std::vector<LinkStiffness> stiffness_of(const Potentials& potentials,
                                        std::span<const Vec3> centers);

struct PotentialUnits {
  double length = 1.0;  // m
  double force = 1.0;   // N
};
/// Adds to a step's program a convex quadratic that
/// touches the energy at x = 0. With `caution` 1 it lies above the energy everywhere, so that
/// whatever lowers it lowers the energy as well: a law is concave in d^2 or -d, and its tangent
/// there is quadratic in the displacements (but for a repulsion that fades with distance). With
/// caution 0 it is the convex part of the second order of the energy, which is better near rest;
/// between 0 and 1 a mixture.
void add_potentials(const Potentials& potentials, std::span<const Vec3> centers,
                    std::span<const int> first_variable, PotentialUnits units, double caution,
                    solve::LinearProgram& lp);

}  // namespace repose::pile
