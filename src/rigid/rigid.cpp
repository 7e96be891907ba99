#include "repose/rigid/rigid.h"

namespace repose::rigid {

namespace {

/// A centre of mass nearer to the middle of a ball, as a share of its radius, is there.
constexpr double kCentred = 1e-12;

Mat3 inverse_inertia_of(const Rigid& rigid, const Pose& world_from_body) {
  const Mat3 turned = world_from_body.rotation.toRotationMatrix();
  return turned * rigid.inertia_body.inverse() * turned.transpose();
}

}  // namespace

Rigid rigid_of(const Problem& problem, std::size_t b) {
  const Body& body = problem.bodies[b];
  Rigid out;
  out.body = static_cast<int>(b);
  out.obstacle = collide::obstacle_of(body.shape);
  out.inverse_mass = body.held() ? 0.0 : 1.0 / body.mass;
  out.center_body = body.center_body;
  out.inertia_body = body.inertia_body;
  out.friction = body.material.friction;
  out.path = body.path;
  out.collides = body.collides;
  out.reach = body.shape->bounding_center.norm() + body.shape->bounding_radius;
  if (const auto* ball = std::get_if<shape::Ball>(&body.shape->geometry))
    out.ball_radius = ball->radius;
  return out;
}

double Rigid::turning_reach() const {
  const double away = center_body.norm();
  if (!(ball_radius > 0.0)) return reach + away;
  return away > kCentred * ball_radius ? away : 0.0;
}

RigidMotion motion_of(const Rigid& rigid, const BodyState& state) {
  RigidMotion out;
  out.world_from_body = state.world_from_body;
  out.center = state.world_from_body * rigid.center_body;
  if (!rigid.is_free()) return out;
  out.velocity = state.velocity;
  out.angular = state.angular_velocity;
  out.inverse_inertia = inverse_inertia_of(rigid, state.world_from_body);
  return out;
}

void write(const Rigid& rigid, const RigidMotion& motion, BodyState& state) {
  if (!rigid.moves()) return;
  state.world_from_body = motion.world_from_body;
  state.velocity = motion.velocity;
  state.angular_velocity = motion.angular;
}

double fastest(const Rigid& rigid, const RigidMotion& motion) {
  if (!rigid.moves()) return 0.0;
  return motion.velocity.norm() + motion.angular.norm() * 2.0 * rigid.reach;
}

double turning(const Rigid& rigid, const RigidMotion& motion) {
  return rigid.turning_reach() > 0.0 ? motion.angular.norm() : 0.0;
}

double kinetic_energy(const Rigid& rigid, const RigidMotion& motion) {
  return 0.5 * motion.velocity.squaredNorm() / rigid.inverse_mass +
         0.5 * motion.angular.dot(motion.inverse_inertia.inverse() * motion.angular);
}

void lead(const Rigid& rigid, double time, double h, RigidMotion& motion) {
  if (rigid.path == nullptr) return;
  const Pose next = pose_at(*rigid.path, time + h);
  motion.velocity = (next * rigid.center_body - motion.center) / h;
  motion.angular =
      vector_from_rotation(next.rotation * motion.world_from_body.rotation.conjugate()) / h;
}

void advance(const Rigid& rigid, double time, double h, RigidMotion& motion) {
  if (!rigid.moves()) return;
  if (rigid.path != nullptr) {
    motion.world_from_body = pose_at(*rigid.path, time);
    motion.center = motion.world_from_body * rigid.center_body;
    return;
  }
  // angular momentum stays; the inertia turns along
  const Vec3 spin = motion.inverse_inertia.inverse() * motion.angular;
  Pose& pose = motion.world_from_body;
  pose.rotation = (rotation_from_vector(h * motion.angular) * pose.rotation).normalized();
  motion.center += h * motion.velocity;
  pose.position = motion.center - pose.turn(rigid.center_body);
  motion.inverse_inertia = inverse_inertia_of(rigid, pose);
  motion.angular = motion.inverse_inertia * spin;
}

}  // namespace repose::rigid
