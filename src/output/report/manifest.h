#pragma once

#include <string>

#include "repose/report/replay.h"

#include "arrays.h"

namespace repose::report {

/// The page's manifest as JSON that is safe inside a script element; its arrays go to `arrays`.
/// docs/report.md lists every field.
std::string manifest_of(const Replay& replay, Arrays& arrays);

}  // namespace repose::report
