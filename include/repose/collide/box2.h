#pragma once

#include <utility>

#include "repose/math/vec.h"

namespace repose::collide {

/// An axis-parallel box of the plane, ends included.
struct Box2 {
  Vec2 low = Vec2::Zero();
  Vec2 high = Vec2::Zero();

  bool overlaps(const Box2& other) const {
    return low.x() <= other.high.x() && other.low.x() <= high.x() && low.y() <= other.high.y() &&
           other.low.y() <= high.y();
  }
};

/// Two indices, the smaller first.
using IndexPair = std::pair<int, int>;

}  // namespace repose::collide
