#pragma once

#include "repose/handover/with_poses.h"

namespace repose::handover {

/// The path's ending is that of STEP, IGES or BREP.
bool is_cad(const std::string& path);

/// The solids of a CAD file as bodies.
Result<Handed> open_cad(const std::string& path, const OpenOptions& options);
/// The same from the bytes of such a file; `file` is the name it has.
Result<Handed> cad_from_text(const std::string& text, const std::string& file,
                             const OpenOptions& options);

/// with_poses of such a scene: the file with other placements, as OpenCASCADE writes it.
Result<std::string> cad_with_poses(const Handed& handed, const std::vector<BodyPose>& poses);

}  // namespace repose::handover
