#pragma once

#include <filesystem>

#include "repose/base/result.h"
#include "repose/record/recording.h"

namespace repose::exchange {

/// Writes a recording as glTF 2.0: `path` ends in .glb (one file) or .gltf (a .bin lies beside it).
/// Y is up through a root node; below it coordinates are the scene's own. Every geometry is stored
/// once; bodies are nodes with tracks of translation and rotation where they move, and the points
/// of soft bodies are nodes of their own. Where a recording has no time, frames are 1/24 s apart.
Result<Done> write_gltf(const Recording& recording, const std::filesystem::path& path);

}  // namespace repose::exchange
