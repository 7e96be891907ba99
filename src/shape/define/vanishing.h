#pragma once

#include <optional>

#include "repose/shape/patch.h"

namespace repose::shape {

/// A place inside the patch where Su x Sv vanishes, as far as a search from a grid finds one. Sides
/// are left out: one that shrinks to a pole is no fault.
std::optional<Vec2> vanishing_normal(const Patch& patch);

}  // namespace repose::shape
