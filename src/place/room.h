#pragma once

#include "arena.h"

namespace repose::place {

/// No two bodies that may touch are nearer to each other than this, m: a lower bound, within a
/// quarter of the truth unless pieces run out. Infinite where there is no such pair.
double free_room(const Arena& arena, const Places& places);

}  // namespace repose::place
