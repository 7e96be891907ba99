#pragma once

#include "repose/shape/tessellate.h"

namespace repose::shape {

/// The patches of a solid alone; `chord` in metres.
Tessellation tessellate_patches(const Solid& solid, double chord,
                                const TessellateSettings& settings);

}  // namespace repose::shape
