#pragma once

#include <vector>

#include "repose/math/pose.h"

namespace repose::check {

struct Segment {
  Vec3 from, to;
};

/// Two edges of two polyhedra that cross at a point: `ends` may end there, at a corner of its body,
/// `runs` goes on. `up` is square to both and goes from the first body to the second.
struct Crossing {
  Vec3 point, up;
  Segment ends, runs;
  double near = 0.0;  // m; what is nearer to the point is the point itself
};

/// The first body, seen along `runs`, is bounded by `ends` on its way round to the second: no
/// triangle of it lies between `ends` and the nearest face of the second. Then the second cannot
/// move against `up`: on the side of `ends` it would cut that edge, and on the other side what it
/// meets there, if that rises, or else nothing holds it and the plane parts both as at any corner.
/// Each triangle is three corners; `slack` is a sine. False where `runs` ends at the point too.
bool bounds_silhouette(const Crossing& crossing, const std::vector<const Vec3*>& of_first,
                       const std::vector<const Vec3*>& of_second, double slack);

}  // namespace repose::check
