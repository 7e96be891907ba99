#pragma once

#include "convex.h"

namespace repose::pile {

/// The shortest way on which one convex set leaves another.
struct WayOut {
  Vec3 normal = Vec3::UnitZ();  // unit: the way that b goes, or a against it
  double depth = 0.0;           // m that it must go
};

/// Two sets that overlap, by the expanding polytope of their difference (van den Bergen 2001). The
/// depth is a true one for its normal: after so much the sets are apart. Of arcs and cells the
/// hulls count.
WayOut shortest_way_out(const Convex& a, const Pose& world_from_a, const Convex& b,
                        const Pose& world_from_b);

}  // namespace repose::pile
