#pragma once

#include "check/exact/rounding.h"
#include "check/gap/surface.h"

namespace repose::check {

/// Nearest points near two pieces, in the frame of a.
struct Polished {
  Vec3 point_a, point_b;  // within `error` of the surfaces
  double error = 0.0;
  double distance = 0.0;                          // computed
  Vec2 uv_a = Vec2::Zero(), uv_b = Vec2::Zero();  // where on patches
};

/// How far points may slide: over the whole of what their pieces belong to, or the pieces alone.
enum class Slide { surfaces, pieces };

/// Slides points along the smooth surfaces (or triangles) that the pieces belong to until they are
/// nearest: Newton's method on half the squared distance, damped, kept inside the domains.
Polished polish(const Surface& a, int piece_a, const Surface& b, int piece_b, const Frame& b_in_a,
                Slide slide = Slide::surfaces);

}  // namespace repose::check
