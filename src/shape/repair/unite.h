#pragma once

#include <optional>
#include <string>

#include "shape/repair/change.h"

namespace repose::shape {

/// Parts that cut, touch or lie within each other become one surface around all points that they
/// wind about. Faces are cut along the lines in which they meet and those within matter go. Where
/// faces touch or lie in one plane, points are first moved outward by a small fraction of the size.
/// Nothing where the faces could not be cut, or the answer is not closed or still meets itself.
/// Requires: closed, sides agree, points of equal coordinates are one. `size` in m.
std::optional<TriangleMesh> united(const TriangleMesh& mesh, double size, MeshChange* change);

}  // namespace repose::shape
