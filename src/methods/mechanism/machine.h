#pragma once

#include <optional>
#include <string>
#include <vector>

#include "repose/mechanism/mechanism.h"

#include "joints.h"

namespace repose::mechanism {

/// A push, a spring or a pull of constant strength between two points.
struct Load {
  enum class Kind { push, spring, pull };
  Kind kind = Kind::push;
  Anchor a, b;
  Vec2 force = Vec2::Zero();              // push, N
  double stiffness = 0.0, damping = 0.0;  // spring
  double length = 0.0;                    // spring without force, m
  double strength = 0.0;                  // pull, N
};

/// A spring between a body's point and a handle that is led through the plane.
struct Drag {
  std::string name;
  std::string body_name;
  Anchor point;
  Vec2 from = Vec2::Zero(), to = Vec2::Zero();  // the handle's way, world
  double start = 0.0;                           // s
  double speed = 0.0;                           // m/s; 0: it is at `to` at once
  double stiffness = 0.0, damping = 0.0;
  double max_force = kNoLimit;  // N

  Vec2 handle(double time) const;
};

/// The fixed part of the problem as the mechanism sees it.
struct Machine {
  MechanismSettings settings;
  std::vector<PlaneBody> bodies;
  std::vector<PlaneJoint> joints;
  std::vector<collide::IndexPair> passing;  // bodies that a joint lets pass; sorted
  std::vector<Load> loads;
  std::vector<Drag> drags;
  Vec2 gravity = Vec2::Zero();  // m/s^2
  double length = 1.0;          // size of the largest moving body, m

  /// Gap at which two bodies are kept, m.
  double touch(int a, int b) const;
  /// Speeds below this count as none, m/s.
  double still_speed(double touch) const;
};

/// Contacts are those within this many times `touch`; a gap is never let below its least share.
inline constexpr double kTouchReach = 2.0;
inline constexpr double kTouchLeast = 0.25;
/// A stop or a rope is met within this share of its scale.
inline constexpr double kStopReach = 1e-9;

/// Errors name the force that the mechanism cannot carry.
Result<std::vector<Load>> prepare_loads(const Problem& problem,
                                        const std::vector<PlaneBody>& bodies);

struct Group;

/// Gravity, damping, loads, springs and drags: force x, force y and torque on each body of the
/// group. What `out` holds of other bodies has no meaning.
void external_forces(const Machine& machine, const Group& group, const Motion& motion, double time,
                     std::vector<Plane3>& out);

/// Potential energy of gravity and springs, and kinetic energy, J.
double potential_energy(const Machine& machine, const Motion& motion);
double kinetic_energy(const Machine& machine, const Motion& motion);

/// Energy of a group's bodies, J.
struct GroupEnergy {
  double kinetic = 0.0, potential = 0.0;
  double terms = 0.0;  // sum of the potential's magnitudes, which its rounding follows
};
/// None where something may add to it: a motor, a drag, a force that is given.
std::optional<GroupEnergy> undriven_energy(const Machine& machine, const Group& group,
                                           const Motion& motion);

}  // namespace repose::mechanism
