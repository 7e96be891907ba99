#pragma once

#include "repose/render/picture.h"

namespace repose::render {

/// Colours that go well together, for bodies whose material names none.
Color palette_color(int index);

}  // namespace repose::render
