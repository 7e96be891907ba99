#pragma once

#include <string>

#include "repose/base/result.h"

namespace repose::report {

/// A file of the front end ("report.js", "studio.js", "page.css", ...): from $REPOSE_DATA/studio
/// where it is there, else the one inside the program. Pictures of the gallery, and the front end
/// of a program that was built without node, are looked for beside the installed program, in the
/// build tree and in the install prefix.
Result<std::string> load_asset(const std::string& name);

}  // namespace repose::report
