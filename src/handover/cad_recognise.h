#pragma once

#include <optional>

#include "repose/math/pose.h"
#include "repose/scene/shape_spec.h"

namespace repose::handover {

/// A shape by name, and where its own frame stands in that of the faces.
struct Recognised {
  ShapeKinds shape;
  Pose from_shape;
};

/// The ball, box, cylinder, cone, capsule, torus or convex polyhedron that these faces bound; none
/// where they bound none. `volume` (m^3) is that of the solid and must agree: planes, cylinders and
/// the like bound at most one bounded solid of each sort, and the volume tells that it is the
/// whole.
std::optional<Recognised> recognise(const shape::TrimmedInput& faces, double volume);

}  // namespace repose::handover
