#include "interact.h"

#include <algorithm>

#include "repose/base/setting_values.h"
#include "repose/world/hand_spring.h"
#include "repose/world/joint_edit.h"
#include "repose/world/refuse.h"

namespace repose::mechanism {
namespace {

Vec3 vec(const std::array<double, 3>& v) {
  return {v[0], v[1], v[2]};
}

Result<Done> drag(const Edit& edit, const Problem& problem, const State& state, Memory& memory) {
  const int body = problem.find_body(edit.target);
  if (body < 0) return refuse(edit, "no such body", "the name of a body");
  const auto i = static_cast<std::size_t>(body);
  const Body& what = problem.bodies[i];
  if (what.fixed) return refuse(edit, "a fixed body cannot be dragged", "a movable body");
  const auto to = vector_in(edit.values, "to");
  if (!to) return refuse(edit, "a drag without a place to go to", "'to': [x, y, 0]");
  Drag drag;
  drag.body_name = what.name;
  const auto old = std::find_if(memory.drags.begin(), memory.drags.end(),
                                [&](const Drag& d) { return d.body_name == what.name; });
  const auto point = vector_in(edit.values, "point");
  const Vec3 at = point ? vec(*point) : what.center_body;
  drag.point = {body, (at - what.center_body).head<2>()};
  if (old != memory.drags.end() && !point) drag.point = old->point;
  const Vec2 stands = (state.bodies[i].world_from_body *
                       (what.center_body + Vec3(drag.point.arm.x(), drag.point.arm.y(), 0.0)))
                          .head<2>();
  drag.from = old != memory.drags.end() ? old->handle(state.time) : stands;
  drag.to = vec(*to).head<2>();
  drag.start = state.time;
  drag.speed = number_or(edit.values, "speed", 0.0);
  const HandSpring own =
      hand_spring(what, problem.gravity, number_or(edit.values, "stiffness", 0.0));
  drag.stiffness = number_or(edit.values, "stiffness", own.stiffness);
  drag.damping = number_or(edit.values, "damping", own.damping);
  drag.max_force = number_or(edit.values, "max_force", own.max_force);
  if (!(drag.stiffness > 0.0) || !(drag.damping >= 0.0) || !(drag.max_force > 0.0))
    return refuse(edit, "a drag that cannot pull", "stiffness and max_force above 0, damping >= 0");
  if (old != memory.drags.end()) memory.drags.erase(old);
  memory.drags.push_back(drag);
  return Done{};
}

Result<Done> join(const Edit& edit, Problem& problem, const State& state) {
  auto joint = joint_of(edit, problem, state);
  if (!joint) return joint.error();
  problem.joints.push_back(std::move(*joint));
  return Done{};
}

}  // namespace

Result<Done> carry_out_edit(const Edit& edit, Problem& problem, const State& state,
                            Memory& memory) {
  if (edit.kind == EditKind::drag) return drag(edit, problem, state, memory);
  if (edit.kind == EditKind::join) return join(edit, problem, state);
  if (edit.kind == EditKind::release) {
    const auto gone =
        std::erase_if(memory.drags, [&](const Drag& d) { return d.body_name == edit.target; });
    if (gone == 0) return refuse(edit, "the body is not being dragged", "a body that is");
    return Done{};
  }
  return refuse(edit, "the mechanism knows no such edit", "drag, release or join");
}

std::vector<Drag> present_drags(const Problem& problem, const std::vector<Drag>& drags) {
  std::vector<Drag> out;
  for (Drag d : drags) {
    d.point.body = problem.find_body(d.body_name);
    if (d.point.body >= 0 && !problem.bodies[static_cast<std::size_t>(d.point.body)].fixed)
      out.push_back(std::move(d));
  }
  return out;
}

}  // namespace repose::mechanism
