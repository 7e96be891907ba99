#pragma once

#include <array>
#include <cstdint>

#include "vec3f.h"

namespace repose::render {

/// Linear light through a film-like curve to sRGB bytes. The rounding is spread by the pixel's
/// place, so that slow gradients show no steps.
std::array<std::uint8_t, 3> developed_bytes(const Rgb& light, int x, int y);

}  // namespace repose::render
