#pragma once

#include <array>
#include <vector>

#include "repose/check/input.h"

namespace repose::check {

/// The balls of a body in the world: of a sphere set where they are now, of a ball itself. Empty
/// for every other kind, and where points and rest shape do not fit each other.
struct WorldBalls {
  std::vector<Vec3> centers;
  std::vector<double> radii;
  double error = 0.0;  // m: how far a centre may be from its true place

  static WorldBalls of(const PlacedBody& body);
  bool empty() const { return centers.empty(); }
};

/// Balls on straight ways from one place to another, in a binary tree of boxes.
class SphereTree {
 public:
  struct Node {
    Vec3 low, high;            // of the centres, all along their ways
    double radius = 0.0;       // the largest
    int first = 0, count = 0;  // range of order()
    int left = -1, right = -1;
    bool leaf() const { return left < 0; }
  };

  /// Requires: not empty; `to` parallel to `from`. A ball that stays has the same place in both.
  SphereTree(const std::vector<Vec3>& from, const std::vector<Vec3>& to,
             const std::vector<double>& radii);

  const Node& node(int k) const { return nodes_[static_cast<std::size_t>(k)]; }
  int item(int k) const { return order_[static_cast<std::size_t>(k)]; }

 private:
  int build(const std::vector<Vec3>& from, const std::vector<Vec3>& to,
            const std::vector<double>& radii, int first, int count);

  std::vector<int> order_;
  std::vector<Node> nodes_;
};

/// No ball of one node comes nearer to one of the other than this, m; rounding included.
double least_gap(const SphereTree::Node& a, const SphereTree::Node& b);

/// Visits pairs of balls, the near ones first, until the others are surely no nearer than upper(),
/// m. The two trees may be one: then each pair once.
template <class Upper, class Visit>
void near_spheres(const SphereTree& a, const SphereTree& b, const Upper& upper,
                  const Visit& visit) {
  struct Task {
    int i, j;
    double bound;
  };
  const bool self = &a == &b;
  std::vector<Task> stack{{0, 0, least_gap(a.node(0), b.node(0))}};
  const auto push = [&](std::array<int, 2> x, std::array<int, 2> y) {
    Task first{x[0], x[1], least_gap(a.node(x[0]), b.node(x[1]))};
    Task second{y[0], y[1], least_gap(a.node(y[0]), b.node(y[1]))};
    if (first.bound < second.bound) std::swap(first, second);
    stack.push_back(first);
    stack.push_back(second);  // the nearer is looked at first
  };
  while (!stack.empty()) {
    const Task task = stack.back();
    stack.pop_back();
    if (task.bound >= upper()) continue;
    const SphereTree::Node &na = a.node(task.i), &nb = b.node(task.j);
    const bool same = self && task.i == task.j;
    if (same && !na.leaf()) {
      stack.push_back({na.left, na.right, least_gap(a.node(na.left), a.node(na.right))});
      push({na.left, na.left}, {na.right, na.right});
    } else if (na.leaf() && nb.leaf()) {
      for (int k = na.first; k < na.first + na.count; ++k)
        for (int l = same ? k + 1 : nb.first; l < nb.first + nb.count; ++l)
          visit(a.item(k), b.item(l));
    } else if (nb.leaf() || (!na.leaf() && na.count >= nb.count)) {
      push({na.left, task.j}, {na.right, task.j});
    } else {
      push({task.i, nb.left}, {task.i, nb.right});
    }
  }
}

}  // namespace repose::check
