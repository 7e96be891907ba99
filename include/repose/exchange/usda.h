#pragma once

#include <filesystem>

#include "repose/base/result.h"
#include "repose/record/recording.h"

namespace repose::exchange {

/// Writes a recording in the text format of USD: metres, z up, 24 time codes a second. Every shape
/// is written once and referred to; bodies are Xforms with samples of their poses in time where
/// they move, in double precision. Soft bodies are Points. Where a recording has no time, frames
/// are 1/24 s apart.
Result<Done> write_usda(const Recording& recording, const std::filesystem::path& path);

}  // namespace repose::exchange
