#pragma once

#include <memory>
#include <string>
#include <vector>

#include "repose/world/body.h"

namespace repose {

/// A place where two bodies touch, with the force it carries.
struct Contact {
  int body_a = -1, body_b = -1;        // indices into Problem::bodies
  Vec3 point_world = Vec3::Zero();     // midpoint between the two witness points
  Vec3 normal_a_to_b = Vec3::UnitZ();  // unit, world frame
  double gap = 0.0;                    // m; negative when overlapping
  Vec3 force_on_b = Vec3::Zero();      // N, world frame; the opposite acts on a
};

/// What a method must remember between steps beyond poses and velocities (caches that steer the
/// result: warm starts, tracked contacts). Immutable, so that saving a state is copying a pointer.
class MethodMemory {
 public:
  virtual ~MethodMemory() = default;
};

/// The changing state, saved and compared whole: undo, branch and recording are copies of it.
struct State {
  double time = 0.0;  // s; methods without time count steps only
  long step = 0;
  std::vector<BodyState> bodies;  // parallel to Problem::bodies
  std::vector<Contact> contacts;  // as the method last knew them
  std::shared_ptr<const MethodMemory> memory;
};

/// Hash of time, step, poses, velocities and all that is known of soft points, to the last bit.
std::string state_hash(const State& state);

/// Farther from the origin is no place in the world, m: a float still holds its square.
inline constexpr double kFarthest = 1e18;
/// The first body with a coordinate beyond it; -1 if there is none.
int strayed_body(const State& state);

/// True if no number of the state is NaN or infinite.
bool all_finite(const State& state);

}  // namespace repose
