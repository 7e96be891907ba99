#pragma once

#include <array>
#include <cstdint>

#include "vec3f.h"

namespace repose::render {

/// Linear light through a film-like curve to sRGB bytes.
std::array<std::uint8_t, 3> developed_bytes(const Rgb& light);

}  // namespace repose::render
