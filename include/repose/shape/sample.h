#pragma once

#include <optional>

#include "repose/base/result.h"
#include "repose/shape/shape.h"

namespace repose::shape {

/// A closed shape as mass points within it and surface points upon it.
struct SampleInput {
  ShapePtr shape;
  double spacing = 0.02;                 // m; no point of the surface is farther from a surfel
  std::optional<double> phyxel_spacing;  // m, pitch of the phyxels; absent: twice the spacing
  int halvings = 0;  // times that balls are made half as large where the shape is too thin for them
};

/// A point set whose volume properties are those of the shape. Where the shape has a convex edge,
/// surfels lie on the surface rounded by the depth of their balls (repose/shape/cover.h). Refused:
/// an open shape, one that is too thin for the spacing, fewer than kFewestPhyxels phyxels.
Result<ShapePtr> make_sample(const SampleInput& in);

/// Fewer cannot be fitted.
inline constexpr int kFewestPhyxels = 8;

}  // namespace repose::shape
