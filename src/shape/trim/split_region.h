#pragma once

#include <vector>

#include "shape/trim/cells.h"

namespace repose::shape {

/// The parts of a region on one side of the line u = at (axis 0) or v = at (axis 1): where the
/// coordinate is less, or more. The outline runs counter-clockwise, those of holes clockwise; so do
/// those of the answer. Outlines that only touch the line do not cross it.
std::vector<FlatRegion> part_beside(const FlatRegion& region, int axis, double at, bool above);

/// The region with its first loop counter-clockwise and the others clockwise.
FlatRegion oriented(FlatRegion region);

}  // namespace repose::shape
