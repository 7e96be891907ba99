#pragma once

#include "repose/mechanism/settings.h"
#include "repose/world/method.h"

namespace repose::mechanism {

/// Rigid bodies of the plane with joints, contact and friction (Baraff 1995): motion in x and y,
/// turns about z. Bodies are plane regions and meet within a layer only.
MethodInfo method_info();

}  // namespace repose::mechanism
