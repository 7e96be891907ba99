#pragma once

namespace repose::tests {

/// The root of the source tree.
const char* source_dir();
/// The built command-line tool.
const char* tool();

}  // namespace repose::tests
