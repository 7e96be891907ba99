#include "repose/prove/balance.h"

namespace repose::prove {

namespace {

IVec3 cross(const IVec3& a, const IVec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Interval dot(const IVec3& a, const IVec3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Interval norm(const IVec3& a) {
  return sqrt(square(a[0]) + square(a[1]) + square(a[2]));
}
IVec3 exactly(const Vec3& v) {
  return {Interval(v.x()), Interval(v.y()), Interval(v.z())};
}
/// What is no number is anything.
double most(const Interval& x) {
  return x.hi >= 0.0 ? x.hi : x.hi < 0.0 ? 0.0 : detail::kInf;
}

}  // namespace

void Resultant::add(const IVec3& force, const Vec3& point) {
  IVec3 arm = exactly(point);
  for (std::size_t k = 0; k < 3; ++k) {
    arm[k] -= center_[k];
    force_[k] += force[k];
  }
  const IVec3 torque = cross(arm, force);
  for (std::size_t k = 0; k < 3; ++k) torque_[k] += torque[k];
}

void Resultant::add_torque(const IVec3& torque) {
  for (std::size_t k = 0; k < 3; ++k) torque_[k] += torque[k];
}

void Resultant::add_doubt(double newtons, const Vec3& point) {
  IVec3 arm = exactly(point);
  for (std::size_t k = 0; k < 3; ++k) arm[k] -= center_[k];
  force_doubt_ += Interval(newtons);
  torque_doubt_ += Interval(newtons) * norm(arm);
}

Bracket Resultant::length(const IVec3& sum, const Held& held, Interval doubt) {
  IVec3 left = sum;
  for (std::size_t k = 0; k < 3; ++k)
    if (held[k]) left[k] = 0.0;
  const Interval all = norm(left);
  return {(all - doubt).lo, (all + doubt).hi};
}

double beyond_cone(const Vec3& force_on_b, const Vec3& normal_a_to_b, double friction) {
  const IVec3 f = exactly(force_on_b), n = exactly(normal_a_to_b);
  const Interval squared = dot(n, n), along = dot(f, n) / squared;
  IVec3 across = f;
  for (std::size_t k = 0; k < 3; ++k) across[k] -= along * n[k];
  // pressed less hard than it is, or pulled, the force could be the normal part that is there
  const Interval pressed = along * sqrt(squared);
  const double pulled = most(-pressed);
  const Interval held = Interval(friction) * Interval(std::max(0.0, pressed.lo));
  const Interval beyond = norm(across) - held;
  return (Interval(pulled) + Interval(most(beyond))).hi;
}

double beyond_bounds(double value, double min, double max) {
  const Interval v(value);
  const double below = min > -detail::kInf ? most(Interval(min) - v) : 0.0;
  const double above = max < detail::kInf ? most(v - Interval(max)) : 0.0;
  return std::max(below, above);
}

}  // namespace repose::prove
