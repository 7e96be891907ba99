#pragma once

#include <vector>

#include "repose/math/pose.h"

namespace repose {

/// Where a body is led, whatever pushes it: positions in straight lines, turns about one axis at a
/// constant rate from each pose to the next.
struct Path {
  std::vector<double> times;  // s, increasing; at least one
  std::vector<Pose> poses;    // world_from_body; parallel to times
};

/// Before the first time the first pose, after the last the last.
Pose pose_at(const Path& path, double time);

}  // namespace repose
