#pragma once

#include <cstdint>
#include <vector>

#include "repose/report/replay.h"

namespace repose::report {

/// The motion of a replay in whole numbers, in blocks of frames. Within a block each track (one
/// coordinate of one body or point over time) lies in one piece, as zigzag second differences.
struct Motion {
  Vec3 origin = Vec3::Zero();
  double position_step = 1.0;     // m
  double orientation_step = 1.0;  // of a quaternion component
  int block_frames = 0;
  std::vector<int> movers;  // bodies that ever change their pose; the others keep frame 0's
  int point_count = 0;
  std::vector<std::vector<std::int32_t>> blocks;
};

/// Requires: every number of the frames is finite.
Motion motion_of(const Replay& replay);

/// Zigzag second differences of one track, in place; sums wrap at 32 bits.
void differentiate(std::int32_t* track, std::size_t length);

}  // namespace repose::report
