#include "repose/check/balance.h"

#include <algorithm>

#include "repose/prove/balance.h"
#include "repose/prove/placed.h"

#include "check/statics/claims.h"
#include "check/statics/least_norm.h"
#include "check/statics/least_residual.h"

namespace repose::check {

namespace {

using prove::Resultant;

IVec3 exactly(const Vec3& v) {
  return {Interval(v.x()), Interval(v.y()), Interval(v.z())};
}
IVec3 times(double factor, const Vec3& v) {
  IVec3 out = exactly(v);
  for (Interval& x : out) x *= Interval(factor);
  return out;
}

/// What forces found by any means leave unbalanced, with outward rounding.
class Verified {
 public:
  Verified(const Input& input, const Wrenches& wrenches)
      : input_(input), wrenches_(wrenches), block_(input.bodies.size(), -1) {
    for (std::size_t k = 0; k < wrenches.bodies(); ++k) {
      const auto i = static_cast<std::size_t>(wrenches.item(k));
      block_[i] = static_cast<int>(k);
      all_.emplace_back(
          prove::Placing(input.bodies[i].world_from_body).enclose(input.bodies[i].center_body));
      hold(k);
      all_[k].add(times(input.bodies[i].mass, input.gravity), input.bodies[i].center_world());
    }
    for (const Load& l : input.loads)
      if (Resultant* on = resultant(l.body)) {
        on->add(exactly(l.force), l.point_world);
        on->add_torque(exactly(l.torque));
      }
  }

  void add_contact(const ContactPoint& c, const Vec3& force_on_b, double friction) {
    const double beyond = prove::beyond_cone(force_on_b, c.normal_a_to_b, friction);
    add(c.body_b, times(1.0, force_on_b), c.point, beyond);
    add(c.body_a, times(-1.0, force_on_b), c.point, beyond);
  }
  /// `value` newtons (or newton metres) along a direction of a joint.
  void add_joint(const Restraint& joint, const Vec3& direction, double value, bool torque) {
    const double beyond = prove::beyond_bounds(value, joint.min, joint.max) * direction.norm();
    for (const auto& [body, sign] : {std::pair{joint.body_b, 1.0}, std::pair{joint.body_a, -1.0}}) {
      const IVec3 part = times(sign * value, direction);
      if (!torque) {
        add(body, part, joint.point_world, beyond);
      } else if (Resultant* on = resultant(body)) {
        on->add_torque(part);
        on->add_doubt(beyond, joint.point_world);
      }
    }
  }

  void tell(const BalanceSettings& settings, Balance& out) const {
    out.per_body.assign(input_.bodies.size(), 0.0);
    out.force = out.torque = 0.0;
    for (std::size_t k = 0; k < all_.size(); ++k) {
      const auto i = static_cast<std::size_t>(wrenches_.item(k));
      const Interval weight(wrenches_.weight(k)), size(input_.bodies[i].size());
      const double force = (Interval(all_[k].force().upper()) / weight).hi;
      const double torque = (Interval(all_[k].torque().upper()) / (weight * size)).hi;
      out.per_body[i] = std::max(force, torque);
      out.force = std::max(out.force, force);
      out.torque = std::max(out.torque, torque);
    }
    out.residual = std::max(out.force, out.torque);
    out.balanced = prove::at_most({0.0, out.residual}, settings.balanced) == prove::Answer::proven;
  }

 private:
  Resultant* resultant(int body) {
    const int k = body < 0 ? -1 : block_[static_cast<std::size_t>(body)];
    return k < 0 ? nullptr : &all_[static_cast<std::size_t>(k)];
  }
  void add(int body, const IVec3& force, const Vec3& point, double beyond) {
    Resultant* on = resultant(body);
    if (!on) return;
    on->add(force, point);
    on->add_doubt(beyond, point);
  }
  void hold(std::size_t k) {
    for (int axis = 0; axis < 3; ++axis) {
      if (wrenches_.held(k, axis)) all_[k].hold_force(axis);
      if (wrenches_.held(k, axis + 3)) all_[k].hold_torque(axis);
    }
  }

  const Input& input_;
  const Wrenches& wrenches_;
  std::vector<int> block_;
  std::vector<Resultant> all_;
};

void add_reactions(const Input& input, const Wrenches& wrenches, const Wrenches::Forces& z,
                   std::size_t contacts, Verified& verified, Balance& out) {
  std::size_t c = contacts;
  for (const Restraint& joint : input.restraints) {
    Reaction reaction;
    const auto value = [&](const Vec3& along, bool torque) -> Vec3 {
      const Wrenches::View v = wrenches.column(c++);
      const double here = v.scale * z[static_cast<Eigen::Index>(v.first)];
      verified.add_joint(joint, along, here, torque);
      return here * along;
    };
    for (const Vec3& f : joint.forces) reaction.force_on_b += value(f, false);
    for (const Vec3& t : joint.torques) reaction.torque_on_b += value(t, true);
    out.reactions.push_back(reaction);
  }
}

/// Forces in the friction cones that leave little: those claimed where they do, else the best.
LeastResidual find_forces(const Input& input, const std::vector<ContactPoint>& contacts,
                          const Wrenches& wrenches, const BalanceSettings& settings, double small) {
  constexpr double kWellBelow = 0.5;  // of the threshold: claimed forces that are good enough
  const Wrenches::Forces start = claimed_forces(input, contacts, wrenches);
  if (start.size() > 0) {
    const LeastResidual claimed =
        least_residual(wrenches, {.small = kWellBelow * settings.balanced, .max_steps = 0}, start);
    if (claimed.converged) return claimed;
  }
  return least_residual(wrenches, {.small = small, .max_steps = settings.max_steps}, start);
}

}  // namespace

Balance balance(const Input& input, const std::vector<ContactPoint>& contacts,
                double friction_scale, const BalanceSettings& settings) {
  const Wrenches wrenches(input, contacts, friction_scale);
  constexpr double kSolveBelow = 0.03;  // of the threshold, so that the verdict is not its noise
  const double small = kSolveBelow * settings.balanced;
  LeastResidual least = find_forces(input, contacts, wrenches, settings, small);
  Balance out;
  const double worst = least.residual.size() ? least.residual.cwiseAbs().maxCoeff() : 0.0;
  if (worst <= settings.balanced &&
      wrenches.bodies() <= static_cast<std::size_t>(settings.least_norm_bodies)) {
    const LeastNorm shorter = least_norm(wrenches, least.forces, small);
    out.least_norm = shorter.converged;
    least.forces = shorter.forces;
  }
  Verified verified(input, wrenches);
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    out.forces_on_b.push_back(wrenches.force(least.forces, c));
    verified.add_contact(contacts[c], out.forces_on_b.back(),
                         friction_scale * contacts[c].friction);
  }
  add_reactions(input, wrenches, least.forces, contacts.size(), verified, out);
  verified.tell(settings, out);
  out.converged = least.converged || out.balanced;
  out.steps = least.steps;
  return out;
}

}  // namespace repose::check
