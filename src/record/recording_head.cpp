#include "repose/record/recording_head.h"

#include "repose/scene/self_contained.h"

namespace repose {

Result<RecordingHead> recording_head(const Scene& scene, const Session& session) {
  const auto whole = self_contained(scene);
  if (!whole) return whole.error();
  RecordingHead out;
  out.scene = scene.name;
  out.scene_text = write_scene(*whole);
  out.method = scene.method.kind;
  for (const auto& [name, value] : session.settings()) out.settings[name] = to_text(value);
  out.seed = static_cast<std::uint64_t>(scene.seed);
  out.gravity = session.problem().gravity;
  return out;
}

}  // namespace repose
