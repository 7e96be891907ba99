#pragma once

#include <filesystem>
#include <string>

#include "repose/base/result.h"

namespace repose::exchange {

/// Writes the bytes beside `path` and renames, so that `path` is whole or not there. The error
/// names the file and what the system said.
Result<Done> write_file(const std::filesystem::path& path, const std::string& bytes);

}  // namespace repose::exchange
