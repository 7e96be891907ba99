#pragma once

#include "arena.h"
#include "padded.h"

namespace repose::surfel {

/// For every phyxel the ball in which it lies deepest at rest; -1 where it lies in none: deeper
/// than the surface.
std::vector<int> holders_of(const Arena& arena);

/// Every ball of the wall with its nearest of the same body at rest.
std::vector<std::array<int, 2>> beside_of(const Arena& arena);

/// The phyxel is about to leave the ball that held it at rest: balls go with the mean of their
/// neighbourhood, a phyxel goes its own way.
bool is_loose(const Arena& arena, const std::vector<Vec4>& x, int phyxel);

/// In the last step, h long, some phyxel came loose.
bool came_loose(const Arena& arena, const Motion& motion, double h);

}  // namespace repose::surfel
