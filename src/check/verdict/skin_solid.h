#pragma once

#include "repose/prove/answer.h"

#include "check/verdict/skin_mesh.h"

namespace repose::check {

/// A body without a skin on its way; in a state both are the same.
struct SolidWay {
  const PlacedBody& from;
  const PlacedBody& to;
};

/// A skin against a solid at every moment: the triangles are covered by balls, smaller and smaller
/// ones, and each ball is shown to be apart from the solid. Missed where a point of the skin is
/// shown to lie within the solid. Adds the balls that were compared.
prove::Answer apart_from_solid(const SkinMesh& skin, const SolidWay& solid, long& compared);

/// In a state: no piece of the solid's surface that hangs together lies within a closed skin.
/// Requires: skin and solid are apart.
prove::Answer solid_outside(const SkinMesh& skin, const PlacedBody& solid);

}  // namespace repose::check
