#include "repose/world/state.h"

#include <algorithm>

#include "repose/base/hash.h"

namespace repose {

namespace {

void add(Hash& hash, const Vec3& v) {
  for (int i = 0; i < 3; ++i) hash.add(v[i]);
}

}  // namespace

std::string state_hash(const State& state) {
  Hash hash;
  hash.add(state.time);
  hash.add(static_cast<std::uint64_t>(state.step));
  for (const BodyState& body : state.bodies) {
    add(hash, body.world_from_body.position);
    for (int i = 0; i < 4; ++i) hash.add(body.world_from_body.rotation.coeffs()[i]);
    add(hash, body.velocity);
    add(hash, body.angular_velocity);
    for (const Vec3& point : body.soft.positions) add(hash, point);
    for (const Vec3& velocity : body.soft.velocities) add(hash, velocity);
    for (const double radius : body.soft.radii) hash.add(radius);
    for (const double number : body.soft.data) hash.add(number);
  }
  return hash.hex();
}

int strayed_body(const State& state) {
  const auto far = [](const Vec3& v) { return !(v.array().abs() <= kFarthest).all(); };
  for (std::size_t i = 0; i < state.bodies.size(); ++i) {
    const BodyState& body = state.bodies[i];
    const auto points = body.soft.positions.first();
    if (far(body.world_from_body.position) || std::any_of(points.begin(), points.end(), far))
      return static_cast<int>(i);
  }
  return -1;
}

namespace {

/// Elements that follow from others are finite with them.
bool all_finite(const SoftState& soft) {
  bool finite = true;
  for (const Vec3& point : soft.positions.first()) finite = finite && point.allFinite();
  for (const Vec3& velocity : soft.velocities.first()) finite = finite && velocity.allFinite();
  for (const double radius : soft.radii.first()) finite = finite && std::isfinite(radius);
  for (const double number : soft.data.first()) finite = finite && std::isfinite(number);
  return finite;
}

}  // namespace

bool all_finite(const State& state) {
  bool finite = std::isfinite(state.time);
  for (const BodyState& body : state.bodies) {
    finite = finite && body.world_from_body.position.allFinite() &&
             body.world_from_body.rotation.coeffs().allFinite() && body.velocity.allFinite() &&
             body.angular_velocity.allFinite() && all_finite(body.soft);
  }
  return finite;
}

}  // namespace repose
