#pragma once

#include "repose/handover/with_poses.h"

namespace repose::handover {

/// with_poses of a scene of our own format: the JSON file with other places.
Result<std::string> own_with_poses(const Scene& scene, const std::vector<BodyPose>& poses);

}  // namespace repose::handover
