#pragma once

#include <string>
#include <vector>

#include "repose/shape/make.h"

#include "shape/define/shape_build.h"

namespace repose::shape {

/// Sews the patches and finishes the shape: bounding ball from a mesh of proven error, volume
/// properties by surface integrals. `pointer` names the list of patches in errors.
Result<ShapePtr> build_solid(ShapeKind kind, const std::vector<PatchPtr>& patches,
                             const SewInput& sew_input, const std::string& pointer);

/// Area of the closed surface that the patches make; 0 where they cannot be sewn.
double area_of(const std::vector<PatchPtr>& patches);

/// As build_solid where ball and volume are known in closed form.
Result<ShapePtr> build_known_solid(ShapeKind kind, const std::vector<PatchPtr>& patches,
                                   const BoundingBall& ball, const VolumeProperties& volume);

/// A ball about the solid: the smallest about its mesh, widened by the mesh's proven error.
BoundingBall ball_about(const Solid& solid, double rough_size);

/// Of the union of all parts, body frame.
VolumeProperties solid_properties(const Solid& solid, const BoundingBall& ball);

/// Properties of a solid symmetric about its centre from its volume, area and the mean squares of
/// x, y, z over it.
VolumeProperties symmetric_properties(double volume, double area, const Vec3& center,
                                      const Vec3& mean_squares);

}  // namespace repose::shape
