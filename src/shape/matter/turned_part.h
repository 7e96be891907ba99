#pragma once

#include <optional>

#include "repose/shape/shape.h"

namespace repose::shape {

/// Of a part whose faces are all turned about the z axis: the distance, m, within which a chain of
/// straight lines lies of its meridian that neither crosses itself nor the axis, so that the
/// surface does not cut itself as far as that shows. Nothing where a face is not turned so, where
/// the chain crosses, or where it is not within `most` of the meridian.
std::optional<double> turned_without_crossing(const Part& part, double most);

}  // namespace repose::shape
