#pragma once

#include <string>
#include <vector>

#include "repose/check/contacts.h"

namespace repose::check {

struct BalanceSettings {
  /// Residual, as a fraction of the heaviest load, at which the bodies count as balanced. (0,
  /// 1e-1].
  double balanced = 1e-6;
  int max_steps = 20'000;
  /// The forces of least norm are sought for up to this many movable bodies; beyond, any that
  /// balance are given.
  int least_norm_bodies = 40;
};

/// What a joint carries.
struct Reaction {
  Vec3 force_on_b = Vec3::Zero();   // N, world axes
  Vec3 torque_on_b = Vec3::Zero();  // N m, world axes
};

/// Contact forces that come nearest to balancing every body.
struct Balance {
  double residual = 0.0;  // largest over bodies: |force| / weight and |torque| / (weight size)
  double force = 0.0;     // largest unbalanced force over the body's weight
  double torque = 0.0;    // largest unbalanced torque over weight times size
  std::vector<double> per_body;     // parallel to Input::bodies; 0 where fixed
  std::vector<Vec3> forces_on_b;    // N, world; parallel to the contacts
  std::vector<Reaction> reactions;  // parallel to the input's joints
  bool least_norm = false;  // of all forces that balance these have the least sum of squares
  bool balanced = false;
  bool converged = false;  // false: the residual is an upper bound only
  int steps = 0;
};

/// `friction_scale` multiplies every contact's coefficient; 0 is the frictionless question.
Balance balance(const Input& input, const std::vector<ContactPoint>& contacts,
                double friction_scale = 1.0, const BalanceSettings& settings = {});

}  // namespace repose::check
