#include "shape/enclose/box_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace repose::shape {
namespace {

constexpr int kLeafBoxes = 4;

/// Where a box is sorted in; of boxes without a finite middle any place does.
double middle_of(const Box3& box, int axis) {
  const double middle = 0.5 * box.low[axis] + 0.5 * box.high[axis];
  return std::isfinite(middle) ? middle : 0.0;
}

/// Holds what either holds; a box with a coordinate that is no number holds nothing.
void widen(Box3* box, const Box3& by) {
  for (int k = 0; k < 3; ++k) {
    if (by.low[k] < box->low[k]) box->low[k] = by.low[k];
    if (by.high[k] > box->high[k]) box->high[k] = by.high[k];
  }
}

}  // namespace

BoxTree::BoxTree(std::vector<Box3> boxes) : boxes_(std::move(boxes)) {
  for (std::size_t i = 0; i < boxes_.size(); ++i) order_.push_back(static_cast<int>(i));
  if (!boxes_.empty()) build(0, static_cast<int>(boxes_.size()));
}

int BoxTree::build(int first, int last) {
  const int number = static_cast<int>(nodes_.size());
  nodes_.emplace_back();
  constexpr double kFar = std::numeric_limits<double>::infinity();
  Node node{{Vec3::Constant(kFar), Vec3::Constant(-kFar)}, -1, -1, first, last};
  for (int i = first; i < last; ++i) widen(&node.box, boxes_[order_[i]]);
  if (last - first > kLeafBoxes) {
    int axis = 0;
    (node.box.high - node.box.low).maxCoeff(&axis);
    const int middle = first + (last - first) / 2;
    std::nth_element(order_.begin() + first, order_.begin() + middle, order_.begin() + last,
                     [&](int a, int b) {
                       const double x = middle_of(boxes_[a], axis), y = middle_of(boxes_[b], axis);
                       return x != y ? x < y : a < b;
                     });
    node.left = build(first, middle);
    node.right = build(middle, last);
  }
  nodes_[number] = node;
  return number;
}

const std::vector<int>& BoxTree::holding(const Vec3& point) {
  found_.clear();
  waiting_.clear();
  if (!nodes_.empty()) waiting_.push_back(0);
  while (!waiting_.empty()) {
    const Node& node = nodes_[waiting_.back()];
    waiting_.pop_back();
    if (!node.box.holds(point)) continue;
    if (node.left >= 0) {
      waiting_.push_back(node.left);
      waiting_.push_back(node.right);
      continue;
    }
    for (int i = node.first; i < node.last; ++i)
      if (boxes_[order_[i]].holds(point)) found_.push_back(order_[i]);
  }
  std::sort(found_.begin(), found_.end());
  return found_;
}

}  // namespace repose::shape
