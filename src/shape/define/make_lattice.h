#pragma once

#include "repose/shape/make.h"

namespace repose::shape {

/// What the skin of a fill is made of.
enum class FillRule {
  cells,  // whole cells, of which the outer places are drawn onto the depth: springs need cells
  places  // single places up to half a pitch beyond the depth, drawn onto it: evenly spread
};

/// As make_fill, which goes by cells.
Result<ShapePtr> make_fill_by(const FillInput& in, FillRule rule);

}  // namespace repose::shape
