#include "repose/handover/with_poses.h"

#include <algorithm>
#include <numbers>

#include <fmt/format.h>

#include "cad.h"
#include "find_file.h"
#include "graph.h"
#include "own_scene.h"
#include "patch.h"

namespace repose::handover {

namespace {

constexpr const char* kKey = "settled";

bool is_turned(const Quat& q) {
  return q.vec() != Vec3::Zero();
}

std::string position_text(const Pose& pose) {
  return digits({pose.position.x(), pose.position.y(), pose.position.z()});
}
std::string wxyz_text(const Quat& q) {
  return digits({q.w(), q.x(), q.y(), q.z()});
}

void write_mjcf(const At& at, const Pose& pose, Patch& patch) {
  patch.set(at, "pos", position_text(pose));
  const std::vector<std::string> ways{"axisangle", "euler", "xyaxes", "zaxis"};
  bool said = static_cast<bool>(at.node.attribute("quat"));
  for (const std::string& way : ways) said = said || at.node.attribute(way.c_str());
  if (said || is_turned(pose.rotation)) patch.set(at, "quat", wxyz_text(pose.rotation), ways);
}

/// The blanks before an element's first child, so that a new one stands like the others.
std::string indent_of(const At& at) {
  const XmlInside inside = inside_of(at);
  const std::string& text = at.document->text();
  const std::size_t end = text.find_first_not_of(" \t\r\n", inside.begin);
  return text.substr(inside.begin, std::min(end, inside.end) - inside.begin);
}

void write_urdf(const At& joint, const Pose& pose, Patch& patch) {
  const Vec3 rpy = rpy_from_rotation(pose.rotation);
  const std::string turn = digits({rpy.x(), rpy.y(), rpy.z()});
  if (const At origin = joint.child("origin")) {
    patch.set(origin, "xyz", position_text(pose));
    patch.set(origin, "rpy", turn, {"quat_xyzw"});
    return;
  }
  const std::size_t at = tag_of(joint).end;
  patch.replace(*joint.document, at, at,
                fmt::format("{}<origin xyz=\"{}\" rpy=\"{}\"/>", indent_of(joint),
                            position_text(pose), turn));
}

void write_sdf(const At& holder, const Pose& pose, Patch& patch) {
  const At at = holder.child("pose");
  const auto format = at ? attribute_of(at, "rotation_format") : std::nullopt;
  const auto degrees = at ? attribute_of(at, "degrees") : std::nullopt;
  std::string text = position_text(pose) + " ";
  if (format && format->text == "quat_xyzw") {
    const Quat& q = pose.rotation;
    text += digits({q.x(), q.y(), q.z(), q.w()});
  } else {
    const double unit = degrees && truth(*degrees) ? 180.0 / std::numbers::pi : 1.0;
    const Vec3 rpy = unit * rpy_from_rotation(pose.rotation);
    text += digits({rpy.x(), rpy.y(), rpy.z()});
  }
  if (!at) {
    const std::size_t begin = tag_of(holder).end;
    patch.replace(*holder.document, begin, begin, indent_of(holder) + "<pose>" + text + "</pose>");
    return;
  }
  const XmlTag tag = tag_of(at);
  const XmlInside inside = inside_of(at);
  if (tag.empty)
    patch.replace(*at.document, tag.room(), tag.end, ">" + text + "</pose>");
  else
    patch.replace(*at.document, inside.begin, inside.end, text);
}

/// Where every group stands with the new poses.
std::vector<Pose> groups_at(const Origin& origin, const std::vector<BodyPose>& poses,
                            std::vector<bool>& moved) {
  std::vector<Pose> out;
  for (const Group& group : origin.model.groups) out.push_back(group.world_from_group);
  moved.assign(out.size(), false);
  for (const Passenger& passenger : origin.moving)
    for (const BodyPose& pose : poses)
      if (pose.body == passenger.body) {
        out[passenger.group] = pose.world_from_body * passenger.group_from_body.inverse();
        moved[passenger.group] = true;
      }
  return out;
}

Pose local_pose(const Slot& slot, const Pose& world, const Model& model,
                const std::vector<Pose>& now) {
  Pose base = slot.base_from_world;
  if (slot.base_group >= 0) {
    const auto g = static_cast<std::size_t>(slot.base_group);
    base = base * model.groups[g].world_from_group * now[g].inverse();
  }
  return base * world * slot.after;
}

// MJCF: the key, and files that are included

std::vector<At> all_named(const Model& model, const char* element) {
  std::vector<At> out;
  for (const Files::Entry& entry : model.files.entries())
    for (const pugi::xml_node node : entry.document.root().children(element))
      out.push_back({&entry.document, node});
  return out;
}

void write_key(const Model& model, const std::vector<Pose>& now, Patch& patch) {
  std::vector<double> qpos = model.qpos;
  for (std::size_t g = 0; g < now.size(); ++g) {
    if (model.groups[g].key_at < 0) continue;
    const Vec3& p = now[g].position;
    const Quat& q = now[g].rotation;
    const std::array<double, 7> values{p.x(), p.y(), p.z(), q.w(), q.x(), q.y(), q.z()};
    std::copy(values.begin(), values.end(), qpos.begin() + model.groups[g].key_at);
  }
  std::string text;
  for (const double value : qpos) text += (text.empty() ? "" : " ") + digits({value});
  const std::string key = fmt::format("<key name=\"{}\" qpos=\"{}\"/>", kKey, text);
  const auto keyframes = all_named(model, "keyframe");
  for (const At& keyframe : keyframes)
    for (const At& old : elements(keyframe))
      if (old.node.attribute("name").value() == std::string(kKey)) {
        patch.set(old, "qpos", text);
        return;
      }
  for (const At& keyframe : keyframes) {
    const XmlTag tag = tag_of(keyframe);
    if (tag.empty) continue;
    // after the last one, so that keys keep their numbers
    const auto keys = elements(keyframe);
    const std::size_t at = inside_of(keyframe).end;
    const std::size_t trimmed = keyframe.document->text().find_last_not_of(" \t\r\n", at - 1) + 1;
    patch.replace(*keyframe.document, trimmed, trimmed, indent_of(keyframe) + key);
    return;
  }
  const XmlDocument& main = model.files.entries().front().document;
  const std::size_t end = inside_of({&main, main.root()}).end;
  patch.replace(main, end, end, fmt::format("\n  <keyframe>\n    {}\n  </keyframe>\n", key));
}

/// A document with its changes, and in the place of each <include> that changes what it holds.
std::string with_includes(const Model& model, const XmlDocument& document, Patch patch) {
  for (const Files::Entry& entry : model.files.entries()) {
    if (entry.by.document != &document) continue;
    const std::string before = entry.document.text();
    const std::string after = with_includes(model, entry.document, patch);
    if (after == before) continue;
    auto changed = XmlDocument::parse(after, entry.document.file());
    REPOSE_CHECK(static_cast<bool>(changed), "a changed file is still well-formed");
    const XmlInside inside = inside_of({&*changed, changed->root()});
    const XmlTag tag = tag_of(entry.by);
    const std::string& text = document.text();
    const std::size_t end = tag.empty ? tag.end : text.find('>', inside_of(entry.by).end) + 1;
    patch.replace(document, tag.begin, end, after.substr(inside.begin, inside.end - inside.begin));
  }
  return patch.text(document);
}

}  // namespace

Result<std::string> with_poses(const Handed& handed, const std::vector<BodyPose>& poses) {
  if (handed.own()) return own_with_poses(handed.scene, poses);
  if (handed.cad) return cad_with_poses(handed, poses);
  const Origin& origin = *handed.origin;
  const Model& model = origin.model;
  std::vector<bool> moved;
  const std::vector<Pose> now = groups_at(origin, poses, moved);
  for (std::size_t g = 0; g < now.size(); ++g)
    if (const Group& group = model.groups[g]; moved[g] && !group.no_slot.empty())
      return group.at.error(group.no_slot, "--poses FILE.json, which every tool can read");
  if (model.graph) {
    try {
      return model.graph->with_moves(moves_of(model.graph->graph, model, now));
    } catch (const Refused& refused) {  // places of nodes that reading had no need of
      return refused.error;
    }
  }
  Patch patch;
  for (std::size_t g = 0; g < now.size(); ++g) {
    const Group& group = model.groups[g];
    for (const Slot& slot : group.slots) {
      const bool base_moved =
          slot.base_group >= 0 && moved[static_cast<std::size_t>(slot.base_group)];
      if (!moved[g] && !base_moved) continue;
      const Pose local = local_pose(slot, now[g], model, now);
      if (slot.kind == SlotKind::mjcf_body)
        write_mjcf(slot.at, local, patch);
      else if (slot.kind == SlotKind::urdf_origin)
        write_urdf(slot.at, local, patch);
      else
        write_sdf(slot.at, local, patch);
    }
  }
  if (model.format == Format::mjcf) write_key(model, now, patch);
  const XmlDocument& main = model.files.entries().front().document;
  return main.encoded(model.format == Format::mjcf ? with_includes(model, main, patch)
                                                   : patch.text(main));
}

}  // namespace repose::handover
