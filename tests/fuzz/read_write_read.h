#pragma once

#include "repose/handover/with_poses.h"

#include "fuzz/driver.h"

namespace repose::fuzz {

/// The input as a scene of another tool, in a file of that name: read, written back with every free
/// body turned and a metre off, and what was written read again.
inline void read_write_read(const std::uint8_t* data, std::size_t size, const std::string& name) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::string file = (scratch_folder() / name).string();
  const auto handed = handover::from_text(text, file, {});
  if (!handed) return;
  std::vector<handover::BodyPose> poses;
  for (const SceneBody& body : handed->scene.bodies)
    if (!body.fixed) poses.push_back({body.name, {body.position + Vec3::Ones(), Quat(0, 1, 0, 0)}});
  const auto written = handover::with_poses(*handed, poses);
  if (written) static_cast<void>(handover::from_text(*written, file, {}));
}

}  // namespace repose::fuzz
