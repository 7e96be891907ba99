#pragma once

#include "repose/render/picture.h"

namespace repose::render {

/// From none (0, dark blue) to the most (1, yellow), even to the eye.
Color scale_color(double share);

}  // namespace repose::render
