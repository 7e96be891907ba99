#include "present.h"

#include <algorithm>
#include <charconv>

#include "repose/base/fault.h"

namespace repose::serve {

namespace {

/// "NAME-12" of the instances NAME.
bool is_instance(const std::string& body, const std::string& set) {
  return body.size() > set.size() + 1 && body.starts_with(set) && body[set.size()] == '-' &&
         body.find_first_not_of("0123456789", set.size() + 1) == std::string::npos;
}

/// What "NAME-12" of the instances NAME is made of.
const SceneBody* pattern_of(const std::string& body, const Instances& set) {
  std::size_t number = 0;
  const char* first = body.data() + set.name.size() + 1;
  if (std::from_chars(first, body.data() + body.size(), number).ec != std::errc{} || number == 0)
    return &set.body;
  const auto turns = pattern_turns(set);
  return patterns_of(set)[turns[(number - 1) % turns.size()]];
}

/// How bodies of a scene are described, however they came into it.
class Descriptions {
 public:
  Descriptions(const Scene& scene, const std::map<std::string, SceneBody>& added)
      : scene_(scene), added_(added) {}

  /// Null where nothing describes it.
  const SceneBody* of(const std::string& name) const {
    for (const SceneBody& body : scene_.bodies)
      if (body.name == name) return &body;
    if (const auto found = added_.find(name); found != added_.end()) return &found->second;
    for (const SceneEvent& event : scene_.events)
      for (const SceneEdit& edit : event.edits)
        if (edit.body && edit.body->name == name) return &*edit.body;
    for (const Instances& set : scene_.instances)
      if (is_instance(name, set.name)) return pattern_of(name, set);
    return nullptr;
  }
  /// A copy is described as any body of the same shape.
  const SceneBody* of(const Problem& problem, const Body& body) const {
    if (const SceneBody* own = of(body.name)) return own;
    for (const Body& other : problem.bodies)
      if (other.shape == body.shape)
        if (const SceneBody* alike = of(other.name)) return alike;
    return nullptr;
  }

 private:
  const Scene& scene_;
  const std::map<std::string, SceneBody>& added_;
};

void put(const BodyState& at, SceneBody& body) {
  const Quat& turn = at.world_from_body.rotation;
  body.position = at.world_from_body.position;
  body.axis_angle_deg.reset();
  body.roll_pitch_yaw_deg.reset();
  body.orientation_wxyz = {turn.w(), turn.x(), turn.y(), turn.z()};
  body.velocity = at.velocity;
  body.angular_velocity = at.angular_velocity;
}

}  // namespace

Result<Scene> present_scene(const Scene& opened, const Problem& problem, const State& state,
                            const std::map<std::string, SceneBody>& added) {
  const Descriptions descriptions(opened, added);
  Scene out = opened;
  out.bodies.clear();
  out.instances.clear();
  out.events.clear();
  for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
    const Body& body = problem.bodies[i];
    const SceneBody* described = descriptions.of(problem, body);
    if (described == nullptr)
      return fault("", body.name, "nothing describes this body", "save a recording");
    SceneBody written = *described;
    written.name = body.name;
    written.fixed = body.fixed;
    written.collides = body.collides;
    if (!state.bodies[i].soft.empty() && !body.fixed && state.step > 0)
      return fault("", body.name, "a soft body has moved, and a text does not hold its points",
                   "save a recording, or go back to the start");
    if (state.bodies[i].soft.empty()) put(state.bodies[i], written);
    out.bodies.push_back(std::move(written));
  }
  std::erase_if(out.joints, [&](const SceneJoint& j) {
    return problem.find_body(j.joint.body_a) < 0 ||
           (!j.joint.body_b.empty() && problem.find_body(j.joint.body_b) < 0);
  });
  // where a joint's second point stood at the start is known to the problem
  for (SceneJoint& j : out.joints)
    for (const Joint& built : problem.joints)
      if (built.name == j.joint.name && built.body_a == j.joint.body_a &&
          built.body_b == j.joint.body_b && built.kind == j.joint.kind)
        j.point_b = built.point_b;
  std::erase_if(out.forces, [&](const SceneForce& f) {
    return !f.force.body_a.empty() && problem.find_body(f.force.body_a) < 0;
  });
  return out;
}

}  // namespace repose::serve
