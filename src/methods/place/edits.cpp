#include "edits.h"

#include <set>

#include "repose/base/setting_values.h"
#include "repose/place/interference.h"
#include "repose/world/joint_edit.h"
#include "repose/world/refuse.h"

namespace repose::place {
namespace {

InputError refuse(const Edit& edit, const std::string& value, std::string wrong,
                  std::string right) {
  InputError error = repose::refuse(edit, std::move(wrong), std::move(right));
  error.value = value;
  return error;
}

Result<Done> weld(const Edit& edit, int body, int other, Problem& problem, const State& state) {
  Joint joint = weld_of(body, other, problem, state);
  for (const Joint& known : problem.joints)
    if (known.name == joint.name)
      return refuse(edit, joint.name, "these bodies are welded already", "one weld for a pair");
  problem.joints.push_back(std::move(joint));
  return Done{};
}

}  // namespace

Result<Done> apply_edit(const Edit& edit, Problem& problem, const State& state) {
  if (edit.kind != EditKind::attach && edit.kind != EditKind::stick)
    return refuse(edit, name_of(edit.kind), "the method place has no such edit", "attach or stick");
  const int body = problem.find_body(edit.target);
  if (body < 0) return refuse(edit, edit.target, "no such body", "the name of a body of the scene");
  if (edit.kind == EditKind::attach) {
    const std::string name = text_or(edit.values, "to", "");
    const int other = problem.find_body(name);
    if (other < 0 || other == body)
      return refuse(edit, name, "no such body", "the name of another body of the scene");
    return weld(edit, body, other, problem, state);
  }
  auto met = interference(problem, state, body,
                          state.bodies[static_cast<std::size_t>(body)].world_from_body);
  if (!met) return met.error();
  std::set<int> touched;
  for (const InterferencePlace& place : met->places) touched.insert(place.other);
  if (touched.empty())
    return refuse(edit, edit.target, "it touches nothing to stick to", "a body in contact");
  for (const int other : touched)
    if (auto done = weld(edit, body, other, problem, state); !done) return done;
  return Done{};
}

}  // namespace repose::place
