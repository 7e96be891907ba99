#include "repose/world/joint_edit.h"

#include <algorithm>

#include "repose/base/setting_values.h"
#include "repose/world/refuse.h"

namespace repose {

namespace {

Vec3 vec(const std::array<double, 3>& v) {
  return {v[0], v[1], v[2]};
}

}  // namespace

Result<Joint> joint_of(const Edit& edit, const Problem& problem, const State& state) {
  Joint joint;
  const auto kind = named<JointKind>(text_or(edit.values, "joint", ""));
  if (!kind) return refuse(edit, "a joint that the mechanism does not know", "a kind of joint");
  joint.kind = *kind;
  joint.name = edit.target;
  joint.body_a = text_or(edit.values, "body_a", "");
  joint.body_b = text_or(edit.values, "body_b", "");
  const int a = problem.find_body(joint.body_a);
  if (a < 0) return refuse(edit, "no such body: '" + joint.body_a + "'", "the name of a body");
  const bool taken = std::any_of(problem.joints.begin(), problem.joints.end(), [&](const Joint& j) {
    return !joint.name.empty() && j.name == joint.name;
  });
  if (taken) return refuse(edit, "a second joint of this name", "a name of its own");
  if (const auto point = vector_in(edit.values, "point_a")) joint.point_a = vec(*point);
  const Vec3 world = state.bodies[static_cast<std::size_t>(a)].world_from_body * joint.point_a;
  const int b = joint.body_b.empty() ? -1 : problem.find_body(joint.body_b);
  joint.point_b =
      b < 0 ? world : state.bodies[static_cast<std::size_t>(b)].world_from_body.inverse() * world;
  if (const auto point = vector_in(edit.values, "point_b")) joint.point_b = vec(*point);
  if (const auto axis = vector_in(edit.values, "axis")) joint.axis = vec(*axis);
  for (const auto& [name, value] : edit.values)
    if (std::holds_alternative<double>(value) || std::holds_alternative<bool>(value))
      joint.values[name] = value;
  std::uint32_t index = 0;
  for (const Joint& j : problem.joints) index = std::max(index, j.id.index + 1);
  joint.id = {index, 1};
  return joint;
}

Joint weld_of(int body, int other, const Problem& problem, const State& state) {
  const std::string &a = problem.bodies[static_cast<std::size_t>(body)].name,
                    &b = problem.bodies[static_cast<std::size_t>(other)].name;
  Joint joint;
  joint.kind = JointKind::weld;
  joint.name = a + "-" + b;
  joint.id = {static_cast<std::uint32_t>(problem.joints.size()), 1};
  joint.body_a = a;
  joint.body_b = b;
  joint.values["collides"] = true;  // they are apart, and are judged to stay so
  const Vec3 at = state.bodies[static_cast<std::size_t>(body)].world_from_body * joint.point_a;
  joint.point_b = state.bodies[static_cast<std::size_t>(other)].world_from_body.inverse() * at;
  return joint;
}

}  // namespace repose
