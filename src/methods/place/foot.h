#pragma once

#include <limits>

#include "feature.h"

namespace repose::place {

/// Where a point stands over a feature: its signed distance there and the feature's nearest point.
struct Foot {
  Vec2 uv = Vec2::Zero();
  Vec3 point = Vec3::Zero();    // on the feature
  Vec3 normal = Vec3::UnitZ();  // unit, outward
  double distance = 0.0;        // m; negative behind the surface
  double offset = 0.0;          // m, across the normal; beyond a seam's tolerance: no true foot
  bool valid = false;           // the offset vanishes, or is small at a smooth seam
  Mat3 bending = Mat3::Zero();  // second derivative of the distance by the point, 1/m
  shape::PatchJet jet;          // patch: at uv
};

/// What helps the search for a foot.
struct FootHelp {
  const shape::PatchJet* at_start = nullptr;  // the patch's derivatives there, where they are known
  double far = std::numeric_limits<double>::infinity();  // m; farther feet need not be sharp
  bool whole_plane = false;  // a triangle's plane takes the foot, beyond its borders too
  double rising = 0.0;       // m; the same beyond sides where the surface goes on rising
};
/// The foot of `p` (body frame of the feature) that Newton's method reaches from `start`. Requires:
/// the feature takes feet.
Foot find_foot(const Feature& feature, const Vec3& p, const Vec2& start, const FootHelp& help = {});

/// The foot of a triangle lies within its borders, or no farther than `rising` (m) beyond a side
/// where the surface does not fall, over the triangle next to it.
bool on_triangle(const Feature& triangle, const Foot& foot, double rising);

/// Where the foot of a point goes to first order when the point moves by `way`.
Vec2 foot_after(const Feature& feature, const Foot& foot, const Vec3& way);

/// Fills `bending`: K = -S G^-1 L (G - d L)^-1 S^T with the fundamental forms G, L at the foot.
void add_bending(const Feature& feature, Foot& foot);

}  // namespace repose::place
