#include "edit_forces.h"

#include <algorithm>
#include <array>

#include "repose/base/setting_values.h"
#include "repose/world/refuse.h"

namespace repose {

namespace {

constexpr std::array kKinds = {ForceKind::push, ForceKind::connect, ForceKind::spring};

Vec3 vector_of(const Edit& edit, const char* name) {
  const auto found = vector_in(edit.values, name);
  return found ? Vec3((*found)[0], (*found)[1], (*found)[2]) : Vec3(Vec3::Zero());
}

bool is_taken(const Problem& problem, const std::string& name) {
  const auto named = [&name](const auto& part) { return part.name == name; };
  return problem.find_body(name) >= 0 || std::ranges::any_of(problem.forces, named) ||
         std::ranges::any_of(problem.joints, named);
}

/// What a kind cannot do without, and what makes no sense.
Result<Done> check_values(const Edit& edit, const Force& force) {
  if (!force.point_a.allFinite() || !force.point_b.allFinite() || !force.vector.allFinite())
    return refuse(edit, "not finite", "finite numbers");
  if (force.kind == ForceKind::push && force.vector.isZero(0.0))
    return refuse(edit, "a push without a force", "'vector': [x, y, z], newton");
  if (force.kind == ForceKind::connect && !(number_or(force.values, "strength", 0.0) > 0.0))
    return refuse(edit, "a connection that does not pull", "'strength' above 0, in weights");
  if (force.kind != ForceKind::spring) return Done{};
  const bool pulls = number_or(force.values, "stiffness", 0.0) > 0.0 &&
                     number_or(force.values, "length", 0.0) >= 0.0 &&
                     number_or(force.values, "damping", 0.0) >= 0.0;
  if (!pulls) return refuse(edit, "no spring", "'stiffness' above 0, 'length' and 'damping' >= 0");
  return Done{};
}

}  // namespace

Result<EditEffect> add_force(const Edit& edit, Problem& problem) {
  const auto kind = named<ForceKind>(text_or(edit.values, "force", ""));
  if (!kind || std::ranges::count(kKinds, *kind) == 0)
    return refuse(edit, "no force that can be added", "'force': push, connect or spring");
  if (edit.target.empty() || is_taken(problem, edit.target))
    return refuse(edit, "the name is taken or empty", "a name of its own");
  Force force;
  force.kind = *kind;
  force.name = edit.target;
  force.body_a = text_or(edit.values, "body_a", "");
  force.body_b = text_or(edit.values, "body_b", "");
  if (problem.find_body(force.body_a) < 0)
    return refuse(edit, "no such body: '" + force.body_a + "'", "the name of a body");
  if (!force.body_b.empty() && problem.find_body(force.body_b) < 0)
    return refuse(edit, "no such body: '" + force.body_b + "'", "the name of a body");
  if (force.body_a == force.body_b)
    return refuse(edit, "a force between a body and itself", "two different bodies");
  force.point_a = vector_of(edit, "point_a");
  force.point_b = vector_of(edit, "point_b");
  force.vector = vector_of(edit, "vector");
  if (*kind == ForceKind::connect) force.values["strength"] = 1.0;
  if (*kind == ForceKind::spring) force.values["length"] = force.values["damping"] = 0.0;
  for (const char* name : {"strength", "stiffness", "length", "damping"})
    if (edit.values.contains(name)) force.values[name] = number_or(edit.values, name, 0.0);
  if (auto done = check_values(edit, force); !done) return done.error();
  problem.forces.push_back(std::move(force));
  return EditEffect{.problem_changed = true};
}

}  // namespace repose
