#pragma once

#include <memory>

#include "repose/collide/obstacle.h"
#include "repose/world/problem.h"
#include "repose/world/state.h"

namespace repose::rigid {

/// A solid that soft bodies may meet: fixed, led along a path, or free.
struct Rigid {
  int body = -1;  // index into Problem::bodies
  std::shared_ptr<const collide::Obstacle> obstacle;
  double inverse_mass = 0.0;  // 1/kg; 0: fixed or led
  Vec3 center_body = Vec3::Zero();
  Mat3 inertia_body = Mat3::Zero();
  double friction = 0.0;
  double ball_radius = 0.0;  // m; positive: it is a ball about its origin
  double reach = 0.0;        // m, of its farthest point from its origin
  std::shared_ptr<const Path> path;
  bool collides = true;

  bool is_free() const { return inverse_mass > 0.0; }
  bool moves() const { return is_free() || path != nullptr; }
  /// m; how far from its centre of mass a point of it is at most that its turning takes elsewhere:
  /// a ball that turns about its middle stays the same.
  double turning_reach() const;
};
Rigid rigid_of(const Problem& problem, std::size_t body);

/// Where a solid is and how it moves, about its centre of mass.
struct RigidMotion {
  Pose world_from_body;
  Vec3 center = Vec3::Zero();           // world, m
  Vec3 velocity = Vec3::Zero();         // m/s
  Vec3 angular = Vec3::Zero();          // rad/s
  Mat3 inverse_inertia = Mat3::Zero();  // world axes; zero: fixed or led

  /// m/s; of a point that goes with it.
  Vec3 velocity_at(const Vec3& point) const { return velocity + angular.cross(point - center); }
  /// An impulse (N s) at a point; `share`: 1 over its mass, 1/kg.
  void push(double share, const Vec3& point, const Vec3& impulse) {
    velocity += share * impulse;
    angular += inverse_inertia * (point - center).cross(impulse);
  }
};

/// What the state says; held solids stand still until they are led.
RigidMotion motion_of(const Rigid& rigid, const BodyState& state);
/// Back into the state of what moves.
void write(const Rigid& rigid, const RigidMotion& motion, BodyState& state);

/// m/s; no point of the solid is faster.
double fastest(const Rigid& rigid, const RigidMotion& motion);
/// rad/s; how fast its surface turns.
double turning(const Rigid& rigid, const RigidMotion& motion);
/// J; of a free one.
double kinetic_energy(const Rigid& rigid, const RigidMotion& motion);

/// A led solid gets the velocity that brings it along its path in a step from `time`.
void lead(const Rigid& rigid, double time, double h, RigidMotion& motion);
/// Goes on with its velocity for a step that ends at `time`: the centre of mass goes straight, the
/// solid turns evenly, and its angular momentum stays.
void advance(const Rigid& rigid, double time, double h, RigidMotion& motion);

}  // namespace repose::rigid
