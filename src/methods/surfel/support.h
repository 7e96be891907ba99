#pragma once

#include "repose/world/support.h"

namespace repose::surfel {

/// What the method does of all that a scene can ask.
MethodSupport support();

}  // namespace repose::surfel
