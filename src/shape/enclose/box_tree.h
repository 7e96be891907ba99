#pragma once

#include <vector>

#include "repose/math/vec.h"

namespace repose::shape {

struct Box3 {
  Vec3 low, high;

  bool holds(const Vec3& p) const {
    return (p.array() >= low.array()).all() && (p.array() <= high.array()).all();
  }
};

/// Finds the boxes that hold a point, faster than one by one.
class BoxTree {
 public:
  explicit BoxTree(std::vector<Box3> boxes);

  /// Their numbers, growing. Valid until the next call.
  const std::vector<int>& holding(const Vec3& point);

 private:
  struct Node {
    Box3 box;
    int left = -1, right = -1;  // children, or
    int first = 0, last = 0;    // a range of order_
  };
  int build(int first, int last);

  std::vector<Box3> boxes_;
  std::vector<int> order_;
  std::vector<Node> nodes_;
  std::vector<int> found_, waiting_;
};

}  // namespace repose::shape
