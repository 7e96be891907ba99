#pragma once

#include "repose/math/interval.h"
#include "repose/prove/answer.h"

namespace repose::prove {

/// Forces are a certificate: whoever found them, what they leave unbalanced is summed here with
/// outward rounding. All that acts on one body, about its centre of mass.
class Resultant {
 public:
  /// `center` holds the centre of mass, world.
  explicit Resultant(const IVec3& center) : center_(center) {}

  /// N at a point, world.
  void add(const IVec3& force, const Vec3& point);
  /// N m, world.
  void add_torque(const IVec3& torque);
  /// Of a force at the point so many newtons may not be there.
  void add_doubt(double newtons, const Vec3& point);
  /// What holds the body along or about an axis (0 to 2) takes up all there is.
  void hold_force(int axis) { force_held_[static_cast<std::size_t>(axis)] = true; }
  void hold_torque(int axis) { torque_held_[static_cast<std::size_t>(axis)] = true; }

  /// What is left: newtons, and newton metres.
  Bracket force() const { return length(force_, force_held_, force_doubt_); }
  Bracket torque() const { return length(torque_, torque_held_, torque_doubt_); }

 private:
  using Held = std::array<bool, 3>;
  static Bracket length(const IVec3& sum, const Held& held, Interval doubt);

  IVec3 center_, force_{}, torque_{};
  Interval force_doubt_, torque_doubt_;
  Held force_held_{}, torque_held_{};
};

/// No less than the distance, N, of a force on b from those that a contact can give: within the
/// cone |t| <= friction n about the normal from a to b, whose length is one to rounding.
double beyond_cone(const Vec3& force_on_b, const Vec3& normal_a_to_b, double friction);
/// No less than how far a number lies beyond bounds.
double beyond_bounds(double value, double min, double max);

}  // namespace repose::prove
