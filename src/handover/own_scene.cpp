#include "own_scene.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace repose::handover {

namespace {

struct Change {
  std::size_t begin = 0, end = 0;
  std::string text;
};

std::string list_text(const std::vector<double>& values) {
  std::string out = "[";
  for (const double value : values) out += fmt::format("{}{}", out.size() > 1 ? ", " : "", value);
  return out + "]";
}

/// Sets a member of an object, in the place of the first of `instead_of` that stands there.
void set(JsonView body, const std::string& name, const std::string& value,
         const std::vector<std::string>& instead_of, std::vector<Change>& out) {
  const char* text = body.document().text().data();
  const auto byte = [&](std::string_view raw) {
    return static_cast<std::size_t>(raw.data() - text);
  };
  const std::string written = fmt::format("\"{}\": {}", name, value);
  bool done = false;
  const auto replace = [&](const std::string& known) {
    body.each_member([&](JsonView key, JsonView old) {
      if (done || key.text() != known) return true;
      // the key's quotes are part of it
      const std::size_t begin = byte(key.raw()) - (key.raw().front() == '"' ? 0 : 1);
      const std::size_t end = byte(old.raw()) + old.raw().size();
      out.push_back({begin, end, written});
      done = true;
      return true;
    });
  };
  replace(name);
  for (const std::string& other : instead_of)
    if (!done) replace(other);
  if (done) return;
  const std::size_t at = byte(body.raw()) + 1;
  out.push_back({at, at, body.size() > 0 ? " " + written + "," : written});
}

}  // namespace

Result<std::string> own_with_poses(const Scene& scene, const std::vector<BodyPose>& poses) {
  InputError error;
  error.file = scene.file;
  if (scene.file.ends_with(".xml")) {
    error.wrong = "the poses of soft bodies are not written back";
    error.right = "a scene of rigid bodies";
    return error;
  }
  const auto document = JsonDocument::read(scene.file);
  if (!document) return document.error();
  std::vector<Change> changes;
  for (const BodyPose& pose : poses) {
    const auto body = std::find_if(scene.bodies.begin(), scene.bodies.end(),
                                   [&](const SceneBody& b) { return b.name == pose.body; });
    if (body == scene.bodies.end() || body->source.document != 0) {
      error.value = pose.body;
      error.wrong = "the body is one of a set of instances and has no place of its own in the file";
      error.right = "--poses FILE.json";
      return error;
    }
    const JsonView at(**document, body->source.node);
    const Vec3& p = pose.world_from_body.position;
    const Quat& q = pose.world_from_body.rotation;
    set(at, "position", list_text({p.x(), p.y(), p.z()}), {}, changes);
    set(at, "orientation_wxyz", list_text({q.w(), q.x(), q.y(), q.z()}),
        {"axis_angle_deg", "roll_pitch_yaw_deg"}, changes);
  }
  std::stable_sort(changes.begin(), changes.end(),
                   [](const Change& a, const Change& b) { return a.begin < b.begin; });
  const std::string& text = (*document)->text();
  std::string out;
  std::size_t from = 0;
  for (const Change& change : changes) {
    out += text.substr(from, change.begin - from) + change.text;
    from = change.end;
  }
  return out + text.substr(from);
}

}  // namespace repose::handover
