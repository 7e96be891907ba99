#pragma once

#include "repose/molecule/settings.h"
#include "repose/world/method.h"

namespace repose::molecule {

/// Soft bodies of molecules (spheres) joined by springs, among each other and among rigid solids.
MethodInfo method_info();

}  // namespace repose::molecule
