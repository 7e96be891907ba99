#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "repose/shape/kind.h"
#include "repose/world/kinds.h"

namespace repose {

/// Some of the kinds of something; absent: every kind there is.
template <class Kind>
using Kinds = std::optional<std::vector<Kind>>;

template <class Kind>
bool includes(const Kinds<Kind>& kinds, Kind kind) {
  return !kinds || std::find(kinds->begin(), kinds->end(), kind) != kinds->end();
}

/// What a method makes of a body that is not fixed and touches nothing.
enum class Passing { moves, stays, refused };

/// Which point of a body goes straight from one step to the next, on a way that the method has
/// proven free of overlap; none where it proves no ways.
enum class ProvenWays { none, of_origins, of_centers };

/// What a method does of all that a scene can ask of it. The rest is refused when a run is
/// prepared, with its place: nothing is left out in silence. The defaults do everything.
struct MethodSupport {
  bool moves = true;  // false: nothing moves, and so nothing more is asked of it
  /// Freedoms in which bodies move: x, y, z, turns about x, y, z.
  std::array<bool, 6> freedoms{true, true, true, true, true, true};
  Kinds<shape::ShapeKind> moving_shapes = {}, standing_shapes = {};  // of bodies that move, or not
  Kinds<ForceKind> forces = {};
  Kinds<JointKind> joints = {};
  bool speeds = true;   // simulated time, velocities, damping
  bool impacts = true;  // bodies bounce as their restitution says; only where there are speeds
  bool layers = true;   // bodies of different layers pass one another
  bool frozen = true;   // single freedoms of a body are held
  bool soft = false;    // bodies with soft points
  bool led = false;     // bodies that are led along a path
  Passing passing = Passing::moves;
  bool off_centre = true;  // forces act at any point of a body, not at its centre alone
  /// Where a material's friction counts, for the table.
  std::string friction = "works";
  /// Moving shapes whose overlap with others at the start the method does not see by itself.
  std::vector<shape::ShapeKind> blind_to = {};

  /// The setting with which it moves bodies apart that overlap at the start; empty: none.
  std::string repair = {};

  bool bounces() const { return speeds && impacts; }
  /// Bodies move along x and y and turn about z.
  bool plane() const { return !freedoms[2]; }
};

}  // namespace repose
