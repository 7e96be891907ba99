#pragma once

#include <filesystem>
#include <string>

namespace repose::tests {

/// The root of the source tree.
const char* source_dir();
/// The built command-line tool.
const char* tool();
/// A path in a folder of this run of the tests alone, which goes when they end.
std::filesystem::path own_path(const std::string& name);

}  // namespace repose::tests
