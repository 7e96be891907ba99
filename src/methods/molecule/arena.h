#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "repose/base/result.h"
#include "repose/rigid/rigid.h"
#include "repose/world/problem.h"
#include "repose/world/state.h"

namespace repose::molecule {

/// What joins two molecules; a < b.
struct Spring {
  int a = 0, b = 0;
  double stiffness = 0.0;    // N/m
  double length = 0.0;       // m, at rest
  double damping = 0.0;      // N s/m
  double shared_mass = 0.0;  // kg, reduced mass of the ends' shares; see damping_factor
};

/// Where a spring pulls. What every step reads of springs lies apart from what it does not.
struct Ends {
  int a = 0, b = 0;
  int crossing = -1;  // its place among the springs between blocks; -1: none of them
};

/// Points that are worked on together: the cut does not depend on the number of threads.
struct Block {
  int first = 0, last = 0;                // points [first, last)
  int first_spring = 0, last_spring = 0;  // springs whose end a is one of them
  /// Springs that end here but belong to an earlier block: their places among the crossing ones,
  /// and the point.
  std::vector<std::array<int, 2>> incoming;
};

/// Joined molecules that a molecule's surface turns with; friction's couple acts on them.
struct Helpers {
  int count = 0;
  std::array<int, 4> point{};
};

using rigid::Rigid;
using rigid::RigidMotion;

/// The problem prepared for stepping: every molecule of every body in one row.
struct Arena {
  // per molecule
  std::vector<double> mass, inverse_mass;  // kg, 1/kg; inverse 0: fixed
  std::vector<double> radius;              // m
  std::vector<double> friction;
  std::vector<double> modulus;      // Pa
  std::vector<double> drag;         // 1/s
  std::vector<double> square_drag;  // kg/m; drag = square_drag |v| v
  std::vector<int> body_of;         // index into Problem::bodies
  std::vector<Vec3> rest;           // m, its place in its body's shape at rest
  /// Per body: triangles of its skin, three molecules each; and by molecule those it is a corner
  /// of.
  std::vector<std::vector<std::array<int, 3>>> surface;
  std::vector<std::vector<std::array<int, 2>>> edges;  // per body: of its skin, sorted
  std::vector<int> first_corner;                       // per molecule, and one past the end
  std::vector<int> corner_of;                          // triangles of its own body

  std::vector<Spring> springs;       // sorted by a, then b
  std::vector<int> first_neighbour;  // per molecule, and one past the end
  std::vector<int> neighbours;       // molecules joined to it, increasing
  std::vector<Helpers> helpers;      // per molecule
  std::vector<Block> blocks;
  std::vector<Ends> ends;                      // of springs
  std::vector<double> stiffness, rest_length;  // of springs; N/m, m
  int crossings = 0;

  std::vector<int> first_point;  // per body of the problem, and one past the end
  std::vector<Rigid> rigids;
  std::vector<int> rigid_of;   // per body of the problem; -1: soft, or held without collisions
  std::vector<bool> collides;  // per body
  Vec3 gravity = Vec3::Zero();

  double stable_step = 0.0;      // s; largest step at which the springs do not swing up
  double stiffness_error = 0.0;  // of the fitted elasticity, relative; 0 where it is exact
  double least_radius = 0.0;     // m, over molecules and rigid balls
  double most_radius = 0.0;      // m

  int size() const { return static_cast<int>(mass.size()); }
  std::span<const int> joined(int point) const {
    const auto i = static_cast<std::size_t>(point);
    return std::span(neighbours)
        .subspan(static_cast<std::size_t>(first_neighbour[i]),
                 static_cast<std::size_t>(first_neighbour[i + 1] - first_neighbour[i]));
  }
  bool are_joined(int a, int b) const;
};

/// Adds springs, neighbours, helpers and blocks to an arena whose molecules and springs are known.
void connect(Arena& arena);

/// Adds the skins' corners and edges to an arena whose surfaces are known.
void find_corners(Arena& arena);

/// Errors name the body.
Result<Arena> prepare_arena(const Problem& problem, const State& state);

/// All that moves.
struct Motion {
  std::vector<Vec3> x, v;  // of molecules; m, m/s
  std::vector<RigidMotion> rigids;
};

}  // namespace repose::molecule
