#pragma once

#include "shape/mass/solid_moments.h"

namespace repose::shape {

/// Volume properties of the union of closed parts that may overlap: surface integrals over those
/// pieces of each part that lie outside all others. Cells cut by another part are refined; what
/// remains uncertain is reported as the error.
VolumeProperties union_properties(const Solid& solid, const Vec3& reference, double size);

}  // namespace repose::shape
