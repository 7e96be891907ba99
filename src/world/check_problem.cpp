#include "repose/world/check_problem.h"

#include <fmt/format.h>

#include "repose/base/fault.h"

namespace repose {
namespace {

/// Who takes part in an attraction to a fixed point of space.
constexpr const char* kWorld = "world";

Result<Done> check_name(const Problem& problem, const std::string& pointer,
                        const std::string& name) {
  if (problem.find_body(name) >= 0) return Done{};
  return fault(pointer, name, "there is no such body", "the name of a body");
}

Result<Done> check_force(const Problem& problem, const std::string& pointer, const Force& force) {
  if (force.kind == ForceKind::attract) {
    // its first name is that of a group
    if (force.body_b.empty() || force.body_b == kWorld) return Done{};
    return check_name(problem, pointer, force.body_b);
  }
  if (auto done = check_name(problem, pointer, force.body_a); !done) return done;
  return force.body_b.empty() ? Done{} : check_name(problem, pointer, force.body_b);
}

Result<Done> check_joint(const Problem& problem, const std::string& pointer, const Joint& joint) {
  if (auto done = check_name(problem, pointer, joint.body_a); !done) return done;
  if (joint.body_b == joint.body_a)
    return fault(pointer, joint.body_a, "a joint between a body and itself",
                 "two different bodies");
  return joint.body_b.empty() ? Done{} : check_name(problem, pointer, joint.body_b);
}

}  // namespace

Result<Done> check_problem(const Problem& problem) {
  for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
    const Body& body = problem.bodies[i];
    if (!body.held() && !(body.mass > 0.0))
      return fault(fmt::format("/bodies/{}", i), body.name, "a body that moves needs a mass",
                   "a closed shape, or a given mass");
  }
  for (std::size_t i = 0; i < problem.forces.size(); ++i)
    if (auto done = check_force(problem, fmt::format("/forces/{}", i), problem.forces[i]); !done)
      return done;
  for (std::size_t i = 0; i < problem.joints.size(); ++i)
    if (auto done = check_joint(problem, fmt::format("/joints/{}", i), problem.joints[i]); !done)
      return done;
  return Done{};
}

}  // namespace repose
