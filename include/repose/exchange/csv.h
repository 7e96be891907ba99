#pragma once

#include <filesystem>

#include "repose/base/result.h"
#include "repose/record/recording.h"

namespace repose::exchange {

/// Writes every plotted series, one row a frame, to `path`, and every pose to the file of the same
/// stem with "-poses" added. Numbers are the shortest that read back exactly; a value that a frame
/// does not have is left empty.
Result<Done> write_csv(const Recording& recording, const std::filesystem::path& path);

}  // namespace repose::exchange
