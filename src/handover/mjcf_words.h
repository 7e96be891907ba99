#pragma once

#include "reading.h"

namespace repose::handover {

/// Refuses an attribute that MuJoCo's reader does not know either: a slip would change what the
/// element means. Elements that are not read here may hold anything.
void check_mjcf_attributes(const At& at);

}  // namespace repose::handover
