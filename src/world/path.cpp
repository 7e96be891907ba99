#include "repose/world/path.h"

#include <algorithm>

#include "repose/base/check.h"

namespace repose {

Pose pose_at(const Path& path, double time) {
  REPOSE_CHECK(!path.times.empty() && path.times.size() == path.poses.size());
  const auto after = std::upper_bound(path.times.begin(), path.times.end(), time);
  if (after == path.times.begin()) return path.poses.front();
  if (after == path.times.end()) return path.poses.back();
  const auto k = static_cast<std::size_t>(after - path.times.begin());
  const double share = (time - path.times[k - 1]) / (path.times[k] - path.times[k - 1]);
  const Pose &from = path.poses[k - 1], &to = path.poses[k];
  return {(1.0 - share) * from.position + share * to.position,
          from.rotation.slerp(share, to.rotation)};
}

}  // namespace repose
