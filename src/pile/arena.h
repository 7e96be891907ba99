#pragma once

#include <vector>

#include "repose/base/result.h"
#include "repose/pile/pile.h"
#include "repose/world/problem.h"
#include "repose/world/state.h"

#include "potentials.h"
#include "walls.h"

namespace repose::pile {

/// A body that the method moves.
struct Mover {
  int body = -1;        // index into Problem::bodies
  double radius = 0.0;  // m
  double mass = 0.0;    // kg
  double weight = 0.0;  // N; what its unbalanced force is measured by
  std::array<bool, 3> held{};
};

/// What does not change while the pile settles, in the form the step uses.
struct Arena {
  std::vector<Mover> movers;
  std::vector<int> mover_of;  // by body; -1: fixed
  Walls walls;
  Potentials potentials;
  Vec3 gravity = Vec3::Zero();  // m/s^2
  double length_unit = 1.0;     // m: mean radius
  double force_unit = 1.0;      // N: mean weight, or mean pull where there is no gravity
};

/// Where the movers' centres are.
std::vector<Vec3> centers_of(const Arena& arena, const State& state);

/// Refuses what the method cannot take: named in the error.
Result<Arena> prepare_arena(const Problem& problem, const State& state);

/// Pairs and bodies that overlap at the start, or bodies outside their container: the error names
/// them.
Result<Done> check_start(const Problem& problem, const State& state, const Arena& arena);

}  // namespace repose::pile
