#pragma once

#include <array>

#include "repose/world/material.h"

namespace repose {

/// Linear RGB in which stills, pages and studio draw a body: its material's colour; colours that go
/// well together for bodies that move and whose material names none. `body`: its number.
std::array<double, 3> drawn_color(const Material& material, bool fixed, int body);

}  // namespace repose
