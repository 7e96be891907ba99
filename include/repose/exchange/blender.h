#pragma once

#include <filesystem>

#include "repose/base/result.h"
#include "repose/record/recording.h"

namespace repose::exchange {

/// Writes a recording as a Python script that makes it in Blender (2.93 or later) and needs nothing
/// else: metres, z up, 24 frames a second. Every shape is one mesh that its bodies share; bodies
/// are objects with keys of location and rotation where they move, and are hidden while they are
/// not there. Points of soft bodies are balls, each an object of its own, with keys of location.
/// Where a recording has no time, frames are 1/24 s apart.
/// Refused: more balls than Blender can show.
Result<Done> write_blender(const Recording& recording, const std::filesystem::path& path);

}  // namespace repose::exchange
