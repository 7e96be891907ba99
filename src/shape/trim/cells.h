#pragma once

#include <optional>
#include <vector>

#include "shape/trim/cell_patch.h"

namespace repose::shape {

/// A region of the (u, v) plane: within its first loop, outside the others. Every piece is smooth
/// and begins where the one before ends.
struct FlatRegion {
  std::vector<std::vector<FlatCurve>> loops;
};

/// Cuts the region into four-sided cells that together cover it once and do not fold, which
/// interval bounds show. Sides within the region are straight in (u, v). `scale`: metres for one of
/// u and of v, roughly; it chooses the cells, not what they cover. None where no cut is found.
std::optional<std::vector<FlatCell>> cut_into_cells(const FlatRegion& region, const Vec2& scale);

}  // namespace repose::shape
