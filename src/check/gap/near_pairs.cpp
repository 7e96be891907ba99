#include "repose/check/near_pairs.h"

#include <algorithm>
#include <numeric>

#include "check/exact/rounding.h"
#include "check/verdict/tally.h"

namespace repose::check {

namespace {

constexpr int kLeafSize = 4;

struct Box {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 high = Vec3::Constant(-std::numeric_limits<double>::infinity());

  void add(const Box& b) {
    low = low.cwiseMin(b.low);
    high = high.cwiseMax(b.high);
  }
  bool meets(const Box& b) const {
    return (low.array() <= b.high.array()).all() && (b.low.array() <= high.array()).all();
  }
};

struct Node {
  Box box;
  int first = 0, count = 0;  // leaf: range of `order`
  int left = -1, right = -1;
};

/// Boxes about the bodies' surroundings in a binary tree.
class BallTree {
 public:
  BallTree(const std::vector<PlacedBody>& bodies, std::vector<int> finite, double within)
      : bodies_(bodies), order_(std::move(finite)), boxes_(bodies.size()), around_(bodies.size()) {
    Box plane;  // of all bodies of the plane
    for (const int i : order_) {
      const PlacedBody& body = bodies[static_cast<std::size_t>(i)];
      prove::Around& around = around_[static_cast<std::size_t>(i)] =
          surroundings(body).grown(2.0 * within);
      Box& box = boxes_[static_cast<std::size_t>(i)];
      for (int k = 0; k < 3; ++k) {
        box.low[k] = around.low(k);
        box.high[k] = around.high(k);
      }
      if (is_plane(body)) plane.add(box);
    }
    for (const int i : order_) {
      if (!is_plane(bodies[static_cast<std::size_t>(i)])) continue;
      Box& box = boxes_[static_cast<std::size_t>(i)];
      box.low.z() = plane.low.z();
      box.high.z() = plane.high.z();
    }
    if (!order_.empty()) build(0, static_cast<int>(order_.size()));
  }

  template <class Visit>
  void each_pair(Visit visit) const {
    if (nodes_.empty()) return;
    std::vector<std::array<int, 2>> stack{{0, 0}};
    while (!stack.empty()) {
      const auto [i, j] = stack.back();
      stack.pop_back();
      const Node &a = nodes_[static_cast<std::size_t>(i)], &b = nodes_[static_cast<std::size_t>(j)];
      ++tally.pairs;
      if (!a.box.meets(b.box)) continue;
      if (i == j) {
        if (a.left < 0) {
          pairs_within(a, visit);
        } else {
          stack.push_back({a.left, a.left});
          stack.push_back({a.right, a.right});
          stack.push_back({a.left, a.right});
        }
      } else if (a.left < 0 && b.left < 0) {
        pairs_between(a, b, visit);
      } else if (b.left < 0 || (a.left >= 0 && a.count >= b.count)) {
        stack.push_back({a.left, j});
        stack.push_back({a.right, j});
      } else {
        stack.push_back({i, b.left});
        stack.push_back({i, b.right});
      }
    }
  }

 private:
  int build(int first, int count) {
    const int self = static_cast<int>(nodes_.size());
    nodes_.emplace_back();
    Box box;
    for (int k = first; k < first + count; ++k) box.add(boxes_[at(k)]);
    nodes_[static_cast<std::size_t>(self)] = {box, first, count, -1, -1};
    if (count <= kLeafSize) return self;
    int axis = 0;
    (box.high - box.low).maxCoeff(&axis);
    const auto middle = order_.begin() + first + count / 2;
    // the index breaks ties, so that the tree does not hang on the library's selection
    std::nth_element(order_.begin() + first, middle, order_.begin() + first + count,
                     [&](int a, int b) {
                       const double ca = middle_of(a, axis), cb = middle_of(b, axis);
                       return ca != cb ? ca < cb : a < b;
                     });
    const int left = build(first, count / 2);
    const int right = build(first + count / 2, count - count / 2);
    nodes_[static_cast<std::size_t>(self)].left = left;
    nodes_[static_cast<std::size_t>(self)].right = right;
    return self;
  }
  std::size_t at(int k) const {
    return static_cast<std::size_t>(order_[static_cast<std::size_t>(k)]);
  }

  double middle_of(int i, int axis) const {
    return around_[static_cast<std::size_t>(i)].center[static_cast<std::size_t>(axis)].mid();
  }

  template <class Visit>
  void try_pair(int k, int l, Visit& visit) const {
    const prove::Around &a = around_[at(k)], &b = around_[at(l)];
    ++tally.pairs;
    const bool plane = is_plane(bodies_[at(k)]) && is_plane(bodies_[at(l)]);
    if (!(prove::apart(plane ? a.flat() : a, plane ? b.flat() : b) > 0.0))
      visit(static_cast<int>(at(k)), static_cast<int>(at(l)));
  }
  template <class Visit>
  void pairs_within(const Node& n, Visit& visit) const {
    for (int k = n.first; k < n.first + n.count; ++k)
      for (int l = k + 1; l < n.first + n.count; ++l) try_pair(k, l, visit);
  }
  template <class Visit>
  void pairs_between(const Node& a, const Node& b, Visit& visit) const {
    for (int k = a.first; k < a.first + a.count; ++k)
      for (int l = b.first; l < b.first + b.count; ++l) try_pair(k, l, visit);
  }

  const std::vector<PlacedBody>& bodies_;
  std::vector<int> order_;
  std::vector<Box> boxes_;
  std::vector<prove::Around> around_;
  std::vector<Node> nodes_;
};

}  // namespace

NearPairs all_near_pairs(const std::vector<PlacedBody>& bodies, double within) {
  std::vector<int> finite, endless;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const bool infinite = std::isinf(bounding_ball_world(bodies[i]).radius);
    (infinite ? endless : finite).push_back(static_cast<int>(i));
  }
  NearPairs out;
  const auto keep = [&](int i, int j) {
    const PlacedBody &a = bodies[static_cast<std::size_t>(i)],
                     &b = bodies[static_cast<std::size_t>(j)];
    if (!a.collides || !b.collides)
      ++out.not_colliding;
    else if (joined(a, b))
      ++out.joined;
    else if (never_meet(a, b))
      ++out.other_layers;
    else
      (a.fixed && b.fixed ? out.both_fixed : out.judged)
          .push_back({std::min(i, j), std::max(i, j)});
  };
  for (const int ground : endless) {
    const Pose& pose = bodies[static_cast<std::size_t>(ground)].world_from_body;
    for (const int i : finite) {
      const auto body = surroundings(bodies[static_cast<std::size_t>(i)]).grown(2.0 * within);
      if (!(prove::above_ground(body, pose) > 0.0)) keep(ground, i);
    }
  }
  BallTree(bodies, finite, within).each_pair(keep);
  std::sort(out.judged.begin(), out.judged.end());
  std::sort(out.both_fixed.begin(), out.both_fixed.end());
  return out;
}

std::vector<std::array<int, 2>> near_pairs(const std::vector<PlacedBody>& bodies, double within) {
  return all_near_pairs(bodies, within).judged;
}

}  // namespace repose::check
