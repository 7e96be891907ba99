#pragma once

#include <array>
#include <vector>

#include "repose/check/input.h"

namespace repose::check {

/// Pairs of bodies whose bounding balls are nearer than `within` times the smaller one's size, each
/// with first < second, in increasing order; a few a little farther apart may be among them.
struct NearPairs {
  std::vector<std::array<int, 2>> judged;      // may meet, and one of them moves
  std::vector<std::array<int, 2>> both_fixed;  // may meet, but where they are is no one's doing
  long not_colliding = 0;                      // one of the two touches nothing
  long joined = 0;                             // a joint lets them pass one another
  long other_layers = 0;                       // bodies of the plane that pass each other by
};
NearPairs all_near_pairs(const std::vector<PlacedBody>& bodies, double within);
/// Those that are judged.
std::vector<std::array<int, 2>> near_pairs(const std::vector<PlacedBody>& bodies, double within);

}  // namespace repose::check
