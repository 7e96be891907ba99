#include "repose/check/balance.h"

#include <algorithm>

#include "check/statics/least_norm.h"
#include "check/statics/least_residual.h"

namespace repose::check {

namespace {

void add_reactions(const Input& input, const Wrenches& wrenches, const Wrenches::Forces& z,
                   std::size_t contacts, Balance& out) {
  std::size_t c = contacts;
  for (const Restraint& joint : input.restraints) {
    Reaction reaction;
    const auto value = [&] {
      const Wrenches::View v = wrenches.column(c++);
      return v.scale * z[static_cast<Eigen::Index>(v.first)];
    };
    for (const Vec3& f : joint.forces) reaction.force_on_b += value() * f;
    for (const Vec3& t : joint.torques) reaction.torque_on_b += value() * t;
    out.reactions.push_back(reaction);
  }
}

}  // namespace

Balance balance(const Input& input, const std::vector<ContactPoint>& contacts,
                double friction_scale, const BalanceSettings& settings) {
  const Wrenches wrenches(input, contacts, friction_scale);
  constexpr double kSolveBelow = 0.03;  // of the threshold, so that the verdict is not its noise
  LeastResidual least = least_residual(
      wrenches, {.small = kSolveBelow * settings.balanced, .max_steps = settings.max_steps});
  Balance out;
  const double worst = least.residual.size() ? least.residual.cwiseAbs().maxCoeff() : 0.0;
  if (worst <= settings.balanced &&
      wrenches.bodies() <= static_cast<std::size_t>(settings.least_norm_bodies)) {
    const LeastNorm shorter = least_norm(wrenches, least.forces, kSolveBelow * settings.balanced);
    out.least_norm = shorter.converged;
    least.forces = shorter.forces;
    wrenches.multiply(least.forces, least.residual);
    least.residual += wrenches.load();
  }
  out.per_body.assign(input.bodies.size(), 0.0);
  for (std::size_t k = 0; k < wrenches.bodies(); ++k) {
    const Vec6 r = least.residual.segment<6>(static_cast<Eigen::Index>(6 * k));
    const double force = r.head<3>().norm(), torque = r.tail<3>().norm();
    out.per_body[static_cast<std::size_t>(wrenches.item(k))] = std::max(force, torque);
    out.force = std::max(out.force, force);
    out.torque = std::max(out.torque, torque);
  }
  out.residual = std::max(out.force, out.torque);
  out.balanced = out.residual <= settings.balanced;
  out.converged = least.converged || out.balanced;
  out.steps = least.steps;
  for (std::size_t c = 0; c < contacts.size(); ++c)
    out.forces_on_b.push_back(wrenches.force(least.forces, c));
  add_reactions(input, wrenches, least.forces, contacts.size(), out);
  return out;
}

}  // namespace repose::check
