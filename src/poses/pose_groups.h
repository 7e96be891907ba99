#pragma once

#include <vector>

#include "normal_fan.h"

namespace repose::poses {

/// Stable faces of a fan between which no pass is higher than some rise: one pose.
struct PoseGroup {
  int lowest = -1;             // the stable face of least height
  std::vector<int> members;    // stable faces
  std::vector<double> shares;  // of the members
  double share = 0.0;          // of the sphere of directions
  double barrier = 0.0;        // m; rise to the lowest pass into another group; infinite: none
};

/// Joins neighbours, lowest pass first, while the shallower lies within `least_rise` of the pass.
/// In order of the faces.
std::vector<PoseGroup> group_poses(const NormalFan& fan, const std::vector<double>& shares,
                                   double least_rise);

}  // namespace repose::poses
