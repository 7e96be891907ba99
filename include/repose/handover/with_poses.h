#pragma once

#include "repose/handover/handover.h"

namespace repose::handover {

/// The pose of a body of the scene.
struct BodyPose {
  std::string body;
  Pose world_from_body;
};
/// The file it came from with these poses in it; whatever else stood there is byte for byte the
/// same. MJCF: in the bodies, and as the key "settled"; files that it includes are set in where
/// they change. Refused: a pose for which the format has no place.
Result<std::string> with_poses(const Handed& handed, const std::vector<BodyPose>& poses);

}  // namespace repose::handover
