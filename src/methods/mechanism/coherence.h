#pragma once

#include <cstdint>
#include <vector>

#include "bodies.h"

namespace repose::mechanism {

/// Remembers of each pair of convex parts which side kept them apart and which corner of the other
/// lay nearest to it (Baraff 1990). While that side still does, one look at it is all that a pair
/// costs; else the best side is searched for. What is remembered is where to look first and never
/// changes an answer, so pairs may share a place in the table.
class PairMemory {
 public:
  /// Room for so many pairs of parts; more slow it down only.
  explicit PairMemory(std::size_t pairs = kLeastPlaces);

  /// Whether a side of either part shows them apart by more than `within`. False for two discs.
  bool apart(int body_a, int part_a, const PlacedPart& a, int body_b, int part_b,
             const PlacedPart& b, double within);

 private:
  static constexpr std::size_t kLeastPlaces = 4096;
  struct Look {
    std::uint32_t side = 0, corner = 0;
    bool of_a = false;  // whose side it is
  };
  std::vector<Look> looks_;  // a power of two
};

/// The corner that lies lowest along a direction, searched along the outline from `first`: constant
/// time where that is near.
std::size_t lowest_corner(const std::vector<Vec2>& corners, const Vec2& along, std::size_t first);

}  // namespace repose::mechanism
