#pragma once

#include "repose/surfel/settings.h"
#include "repose/world/method.h"

namespace repose::surfel {

/// Soft bodies of mass points (phyxels) under a surface of balls, among each other and among rigid
/// solids.
MethodInfo method_info();

}  // namespace repose::surfel
