#pragma once

#include "repose/shape/shape.h"

namespace repose::shape {

/// Exact volume properties of the slab over the union of the region's pieces: the outline of the
/// union is found by cutting all outlines at their crossings, and integrated by Green's theorem.
VolumeProperties slab_properties(const PlaneRegion& region);

}  // namespace repose::shape
