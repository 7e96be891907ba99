#include "by_hand.h"

#include <algorithm>

#include "repose/base/setting_values.h"

namespace repose::serve {

namespace {

bool is_force(const Edit& edit) {
  return edit.kind == EditKind::add && edit.values.contains("force");
}

SceneForce force_of(const Edit& edit) {
  SceneForce out;
  const auto vector = [&](const char* name) {
    const auto found = vector_in(edit.values, name);
    return found ? Vec3((*found)[0], (*found)[1], (*found)[2]) : Vec3(Vec3::Zero());
  };
  out.force.kind = named<ForceKind>(text_or(edit.values, "force", "")).value_or(ForceKind::push);
  out.force.name = edit.target;
  out.force.body_a = text_or(edit.values, "body_a", "");
  out.force.body_b = text_or(edit.values, "body_b", "");
  out.force.point_a = vector("point_a");
  out.force.point_b = vector("point_b");
  out.force.vector = vector("vector");
  for (const char* name : {"strength", "stiffness", "length", "damping"})
    if (edit.values.contains(name)) out.force.values[name] = number_or(edit.values, name, 0.0);
  return out;
}

SceneEdit written(const HandEdit& done) {
  SceneEdit out;
  out.kind = done.edit.kind;
  out.target = done.edit.target;
  out.values = done.edit.values;
  if (out.kind == EditKind::set) {
    const auto value = out.values.find("value");
    if (value != out.values.end()) out.value = value->second;
    out.values.clear();
  }
  if (out.kind == EditKind::add) {
    out.body = done.body;
    if (is_force(done.edit)) out.force = force_of(done.edit);
    out.target.clear();
    out.values.clear();
  }
  if (out.kind == EditKind::pose) {
    const Pose& pose = done.edit.body_state.world_from_body;
    const Quat& turn = pose.rotation;
    out.place.position = pose.position;
    out.place.orientation_wxyz = {turn.w(), turn.x(), turn.y(), turn.z()};
  }
  return out;
}

void append(Scene& scene, const HandEdit& done) {
  if (done.edit.kind == EditKind::add && !done.body && !is_force(done.edit)) return;
  const bool same = !scene.events.empty() && scene.events.back().at_step == done.step;
  if (!same) {
    SceneEvent event;
    event.at_step = done.step;
    scene.events.push_back(std::move(event));
  }
  scene.events.back().edits.push_back(written(done));
}

SceneBody* find(Scene& scene, const std::string& name) {
  const auto found = std::ranges::find(scene.bodies, name, &SceneBody::name);
  return found == scene.bodies.end() ? nullptr : &*found;
}

void put(const Pose& pose, SceneBody& body) {
  const Quat& turn = pose.rotation;
  body.position = pose.position;
  body.axis_angle_deg.reset();
  body.roll_pitch_yaw_deg.reset();
  body.orientation_wxyz = {turn.w(), turn.x(), turn.y(), turn.z()};
}

void freeze(const SettingValues& held, SceneBody& body) {
  body.frozen.clear();
  for (const char* freedom : {"x", "y", "z", "turn_x", "turn_y", "turn_z"})
    if (flag_or(held, freedom, false)) body.frozen.emplace_back(freedom);
}

/// A joint of the scene's list, from the values of "join".
SceneJoint joint_of(const Edit& edit) {
  SceneJoint out;
  const auto vector = [&](const char* name) { return vector_in(edit.values, name); };
  out.joint.kind = named<JointKind>(text_or(edit.values, "joint", "")).value_or(JointKind::pin);
  out.joint.name = edit.target;
  out.joint.body_a = text_or(edit.values, "body_a", "");
  out.joint.body_b = text_or(edit.values, "body_b", "");
  if (const auto at = vector("point_a")) out.joint.point_a = Vec3((*at)[0], (*at)[1], (*at)[2]);
  if (const auto at = vector("point_b")) out.point_b = Vec3((*at)[0], (*at)[1], (*at)[2]);
  if (const auto axis = vector("axis")) out.joint.axis = Vec3((*axis)[0], (*axis)[1], (*axis)[2]);
  for (const auto& [name, value] : edit.values)
    if (std::holds_alternative<double>(value) || std::holds_alternative<bool>(value))
      out.joint.values[name] = value;
  return out;
}

/// Bodies go with what acts on them; a joint or a force goes by its name.
bool remove(const std::string& name, Scene& scene) {
  const auto uses = [&](const auto& part) {
    return part.name == name || part.body_a == name || part.body_b == name;
  };
  if (SceneBody* body = find(scene, name))
    scene.bodies.erase(scene.bodies.begin() + (body - scene.bodies.data()));
  else if (std::ranges::none_of(scene.joints,
                                [&](const auto& j) { return j.joint.name == name; }) &&
           std::ranges::none_of(scene.forces, [&](const auto& f) { return f.force.name == name; }))
    return false;
  std::erase_if(scene.joints, [&](const SceneJoint& j) { return uses(j.joint); });
  std::erase_if(scene.forces, [&](const SceneForce& f) { return uses(f.force); });
  return true;
}

/// False: it can only be said as an event.
bool fold(const HandEdit& done, Scene& scene) {
  const Edit& edit = done.edit;
  SceneBody* body = find(scene, edit.target);
  switch (edit.kind) {
    case EditKind::set:
      if (const auto value = edit.values.find("value"); value != edit.values.end())
        scene.method.settings[edit.target] = value->second;
      return true;
    case EditKind::add:
      if (is_force(edit)) scene.forces.push_back(force_of(edit));
      if (done.body) scene.bodies.push_back(*done.body);
      return done.body || is_force(edit);
    case EditKind::join:
      scene.joints.push_back(joint_of(edit));
      return true;
    case EditKind::remove:
      return scene.events.empty() && remove(edit.target, scene);
    case EditKind::pose:
      if (body != nullptr) put(edit.body_state.world_from_body, *body);
      return body != nullptr;
    case EditKind::fix:
    case EditKind::free:
      if (body == nullptr || body->soft) return false;
      body->fixed = edit.kind == EditKind::fix;
      return true;
    case EditKind::freeze:
      if (body != nullptr) freeze(edit.values, *body);
      return body != nullptr;
    case EditKind::collide:
      if (body != nullptr) body->collides = flag_or(edit.values, "on", true);
      return body != nullptr;
    case EditKind::material:
    case EditKind::nudge:
    case EditKind::replicate:
    case EditKind::stop:
    case EditKind::attach:
    case EditKind::stick:
    case EditKind::drag:
    case EditKind::release:
      break;
  }
  return false;
}

}  // namespace

void HandLog::forget_after(long number) {
  std::erase_if(edits_, [number](const HandEdit& done) { return done.number > number; });
}

bool HandLog::has_named(const std::string& body) const {
  return std::ranges::any_of(edits_, [&body](const HandEdit& done) {
    const bool copied = done.edit.kind == EditKind::replicate;
    return (done.body && done.body->name == body) ||
           (copied && text_or(done.edit.values, "name", "") == body);
  });
}

std::size_t HandLog::count(long number) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      edits_, [number](const HandEdit& done) { return done.number <= number; }));
}

HandLog::Newest HandLog::newest(long number) const {
  Newest out;
  for (const HandEdit& done : edits_) {
    if (done.number > number) continue;
    const EditKind kind = done.edit.kind;
    out.any = done.number;
    if (kind != EditKind::drag && kind != EditKind::release) out.lasting = done.number;
  }
  return out;
}

std::vector<HandEdit> HandLog::until(long number) const {
  std::vector<HandEdit> out;
  for (const HandEdit& done : edits_)
    if (done.number <= number) out.push_back(done);
  return out;
}

Scene as_events(const Scene& opened, const std::vector<HandEdit>& edits, long last_step) {
  Scene out = opened;
  for (const HandEdit& done : edits) append(out, done);
  out.limits = {};
  HandEdit end;
  end.step = last_step;
  end.edit.kind = EditKind::stop;
  append(out, end);
  return out;
}

Scene as_written(const Scene& opened, const std::vector<HandEdit>& edits) {
  Scene out = opened;
  bool folds = true;
  for (const HandEdit& done : edits) {
    folds = folds && done.step == 0 && fold(done, out);
    if (!folds) append(out, done);
  }
  return out;
}

std::optional<long> take_stop(Scene& scene) {
  if (scene.events.empty() || !scene.events.back().at_step) return {};
  auto& last = scene.events.back();
  if (last.edits.empty() || last.edits.back().kind != EditKind::stop) return {};
  const auto step = static_cast<long>(*last.at_step);
  last.edits.pop_back();
  if (last.edits.empty()) scene.events.pop_back();
  return step;
}

}  // namespace repose::serve
