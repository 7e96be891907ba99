#pragma once

#include <vector>

#include "repose/base/result.h"
#include "repose/pile/pile.h"
#include "repose/world/problem.h"
#include "repose/world/state.h"

#include "convex.h"
#include "piece_tree.h"
#include "potentials.h"
#include "walls.h"

namespace repose::pile {

/// A body that the method moves.
struct Mover {
  int body = -1;               // index into Problem::bodies
  double radius = 0.0;         // m, of the ball about the centre of mass that holds it
  double mass = 0.0;           // kg
  bool ball = true;            // else its pieces say what it is
  bool turns = false;          // three more variables: the rotation vector times radius, m
  std::vector<Convex> pieces;  // then the balls of the tree
  PieceTree tree;
  Vec3 center_body = Vec3::Zero();  // centre of mass
  std::array<bool, 6> held{};       // of its variables
  int first = 0;                    // its first variable in the program

  int variables() const { return turns ? 6 : 3; }
};

/// Where the movers are.
struct Placement {
  std::vector<Vec3> centers;  // of mass
  std::vector<Pose> poses;    // world_from_body
};

/// What does not change while the pile settles, in the form the step uses.
struct Arena {
  std::vector<Mover> movers;
  std::vector<int> mover_of;     // by body; -1: fixed
  std::vector<double> friction;  // by body: Coulomb coefficient of its material
  bool all_balls = true;         // nothing but balls moves, and no wall is curved
  bool cells = false;            // some surface is given by cells
  int variables = 0;             // of a step's program
  Walls walls;
  Potentials potentials;
  Vec3 gravity = Vec3::Zero();  // m/s^2
  double length_unit = 1.0;     // m: mean radius
  double force_unit = 1.0;      // N: mean weight, or mean pull where there is no gravity
};

Placement placement_of(const Arena& arena, const State& state);

/// Refuses what the method cannot take: named in the error.
Result<Arena> prepare_arena(const Problem& problem, const State& state);

/// Pairs and bodies that overlap at the start, or bodies outside their container: the error names
/// them. `repaired`: an attempt was made to part them.
Result<Done> check_start(const Problem& problem, const State& state, const Arena& arena,
                         bool repaired);

}  // namespace repose::pile
