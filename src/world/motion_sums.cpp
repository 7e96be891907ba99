#include "repose/world/motion_sums.h"

namespace repose {

namespace {

void add_point(double mass, const Vec3& at, const Vec3& velocity, const Vec3& gravity,
               MotionSums& out) {
  out.mass += mass;
  out.momentum += mass * velocity;
  out.angular_momentum += mass * at.cross(velocity);
  out.kinetic_energy += 0.5 * mass * velocity.squaredNorm();
  out.gravity_energy -= mass * gravity.dot(at);
}

}  // namespace

MotionSums motion_sums(const Problem& problem, const State& state) {
  MotionSums out;
  for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
    const Body& body = problem.bodies[i];
    const BodyState& now = state.bodies[i];
    if (body.held()) continue;
    if (body.soft) {
      for (std::size_t k = 0; k < now.soft.size(); ++k)
        if (body.soft->fixed[k] == 0)
          add_point(body.soft->masses[k], now.soft.positions[k], now.soft.velocities[k],
                    problem.gravity, out);
      continue;
    }
    const Mat3 turn = now.world_from_body.rotation.toRotationMatrix();
    const Vec3 spin = turn * body.inertia_body * turn.transpose() * now.angular_velocity;
    add_point(body.mass, now.world_from_body * body.center_body, now.velocity, problem.gravity,
              out);
    out.angular_momentum += spin;
    out.kinetic_energy += 0.5 * now.angular_velocity.dot(spin);
  }
  return out;
}

}  // namespace repose
