#include "own_scene.h"

#include <algorithm>

#include "json_patch.h"
#include "mesh_scene.h"

namespace repose::handover {

Result<std::string> own_with_poses(const Scene& scene, const std::vector<BodyPose>& poses) {
  InputError error;
  error.file = scene.file;
  if (scene.file.ends_with(".xml")) {
    error.wrong = "the poses of soft bodies are not written back";
    error.right = "a scene of rigid bodies";
    return error;
  }
  if (is_mesh_file(scene.file)) {
    error.wrong = "a mesh file has no place for a pose";
    error.right = "--poses FILE.json; repose poses FILE tells every pose in which it can rest";
    return error;
  }
  const auto document = JsonDocument::read(scene.file);
  if (!document) return document.error();
  TextPatch changes;
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
    set_member(at, "position", list_text({p.x(), p.y(), p.z()}), {}, changes);
    set_member(at, "orientation_wxyz", list_text({q.w(), q.x(), q.y(), q.z()}),
               {"axis_angle_deg", "roll_pitch_yaw_deg"}, changes);
  }
  return changes.text((*document)->text());
}

}  // namespace repose::handover
