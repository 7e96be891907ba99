#pragma once

#include "surface.h"

namespace repose::place {

/// The length of cells, over the bounding radius, at which a search over the surface starts from
/// about half as many cells as there are `triangles`.
double cell_length_for(Surface& surface, int triangles);

}  // namespace repose::place
