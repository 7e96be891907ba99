#pragma once

#include "repose/place/settings.h"
#include "repose/world/method.h"

namespace repose::place {

MethodInfo method_info();

}  // namespace repose::place
