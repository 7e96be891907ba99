#pragma once

#include <optional>

#include "repose/shape/form.h"
#include "repose/shape/patches.h"

namespace repose::shape {

// The numbers in a patch's formula, where the patch is of the kind asked for.

/// Chart of an ellipsoid (p = q = 2) or a superellipsoid.
struct ChartNumbers {
  Vec3 semi_axes;
  double p, q;
  UvBox domain;
  int fixed;    // the cube face's axis
  double sign;  // and its side
};
std::optional<ChartNumbers> ellipsoid_numbers(const Patch& patch);
std::optional<ChartNumbers> superellipsoid_numbers(const Patch& patch);
std::optional<FrustumForm> cone_numbers(const Patch& patch);
std::optional<TorusForm> torus_numbers(const Patch& patch);
bool parallelogram(const Patch& patch);
std::optional<double> disc_radius(const Patch& patch);
struct AnnulusNumbers {
  double inner, outer;
};
std::optional<AnnulusNumbers> annulus_numbers(const Patch& patch);
/// A spline profile turned about z.
bool turned_profile(const Patch& patch);
/// Only for a tube of one radius.
std::optional<TubeForm> tube_numbers(const Patch& patch);

/// A patch and the affine map in front of it: the identity where it is not a mapped one.
struct MapNumbers {
  const Patch* inner;
  Mat3 linear;
  Vec3 shift;
};
MapNumbers map_numbers(const Patch& patch);

}  // namespace repose::shape
