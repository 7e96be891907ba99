#include "repose/world/hand_spring.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace repose {

namespace {

constexpr double kHertz = 2.0;
constexpr double kWeights = 20.0;

}  // namespace

HandSpring hand_spring(const Body& body, const Vec3& gravity, double stiffness) {
  const double swing = 2.0 * std::numbers::pi * kHertz;
  HandSpring out;
  out.stiffness = stiffness > 0.0 ? stiffness : body.mass * swing * swing;
  out.damping = 2.0 * std::sqrt(out.stiffness * body.mass);
  out.max_force = std::max(kWeights * body.mass * gravity.norm(), out.stiffness * body.size());
  return out;
}

Vec3 pull_of(const HandSpring& spring, const Vec3& at, const Vec3& velocity, const Vec3& to) {
  Vec3 force = spring.stiffness * (to - at) - spring.damping * velocity;
  const double strength = force.norm();
  if (strength > spring.max_force) force *= spring.max_force / strength;
  return force.allFinite() ? force : Vec3(Vec3::Zero());
}

}  // namespace repose
