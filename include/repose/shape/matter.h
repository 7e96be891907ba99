#pragma once

#include <string>

#include "repose/shape/shape.h"

namespace repose::shape {

/// What a closed surface makes of space. Matter is where it winds about a point at all; mass counts
/// a point as often as it does. The two agree where the surface winds once about matter and not
/// about the rest: where it does not meet itself, and closed surfaces within one another are turned
/// in and out by turns.
struct Matter {
  bool simple = true;
  std::string why;  // one sentence where not simple
  /// Looked at on a mesh that lies within this of the surface, m; 0: on the surface itself,
  /// exactly.
  double within = 0.0;
};

/// Of meshes by exact signs; of patches on a mesh as fine as it takes. Bodies without volume, of
/// the plane and of balls are simple.
Matter matter_of(const Shape& shape);

}  // namespace repose::shape
