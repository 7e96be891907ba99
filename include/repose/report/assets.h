#pragma once

#include <string>

#include "repose/base/result.h"

namespace repose::report {

/// A file of the built front end ("report.js", "studio.js", "page.css", ...). Looked for in
/// $REPOSE_DATA/studio, beside the installed program, in the build tree and in the install prefix.
Result<std::string> load_asset(const std::string& name);

}  // namespace repose::report
