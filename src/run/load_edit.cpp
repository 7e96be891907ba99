#include "repose/run/load_edit.h"

#include "repose/base/setting_values.h"
#include "repose/world/joint_edit.h"

#include "edit.h"

namespace repose {

namespace {

bool carry(const Edit& edit, Problem& problem) {
  State unused;
  return static_cast<bool>(carry_out(edit, problem, unused));
}

bool join(const Edit& edit, const Problem& stood, const State& state, Problem& problem) {
  auto joint = joint_of(edit, stood, state);
  if (!joint) return false;
  problem.joints.push_back(std::move(*joint));
  return true;
}

bool attach(const Edit& edit, const Problem& stood, const State& state, Problem& problem) {
  const int body = stood.find_body(edit.target),
            other = stood.find_body(text_or(edit.values, "to", ""));
  if (body < 0 || other < 0) return false;
  problem.joints.push_back(weld_of(body, other, stood, state));
  return true;
}

}  // namespace

void take_load(const Edit& edit, const Problem& stood, const State& state, Problem& problem,
               EditedLoads& loads) {
  const bool of_body = problem.find_body(edit.target) >= 0 || stood.find_body(edit.target) >= 0;
  bool known = true;
  switch (edit.kind) {
    case EditKind::add:
      if (edit.values.contains("force")) known = carry(edit, problem);
      break;
    case EditKind::remove:
      // a body that has gone is not among the frame's
      if (!of_body) known = carry(edit, problem);
      break;
    case EditKind::freeze:
      if (problem.find_body(edit.target) >= 0) known = carry(edit, problem);
      break;
    case EditKind::join:
      known = join(edit, stood, state, problem);
      break;
    case EditKind::attach:
      known = attach(edit, stood, state, problem);
      break;
    case EditKind::stick:
      known = false;  // to whatever it touched
      break;
    case EditKind::drag:
      loads.dragged.insert(edit.target);
      break;
    case EditKind::release:
      loads.dragged.erase(edit.target);
      break;
    case EditKind::set:
    case EditKind::pose:
    case EditKind::fix:
    case EditKind::free:
    case EditKind::material:
    case EditKind::nudge:
    case EditKind::collide:
    case EditKind::replicate:
    case EditKind::stop:
      break;
  }
  loads.known = loads.known && known;
}

}  // namespace repose
