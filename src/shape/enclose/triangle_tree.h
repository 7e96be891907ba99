#pragma once

#include <array>
#include <vector>

#include "repose/math/lanes.h"
#include "repose/math/vec.h"

namespace repose::shape {

/// Nearest point of a watertight mesh.
struct NearestOnMesh {
  int triangle = -1;
  Vec3 weights = Vec3::Zero();  // barycentric
  Vec3 point = Vec3::Zero();
  double distance = 0.0;
  bool inside = false;  // by the pseudo-normal of the feature hit (Baerentzen and Aanaes 2005)
};

/// A box tree over triangles whose corners are numbered by place.
class TriangleTree {
 public:
  TriangleTree(std::vector<Vec3> points, std::vector<std::array<int, 3>> triangles);

  /// `hint` is a triangle that may be near; a good one saves most of the search.
  NearestOnMesh nearest(const Vec3& p, int hint = -1) const;
  /// Calls visit(triangle, weights, distance) for every triangle within `distance` of p.
  template <class Visit>
  void within(const Vec3& p, double distance, Visit visit) const {
    const Lanes at = wide(p);
    std::vector<int> stack{0};
    while (!stack.empty()) {
      const Node& node = nodes_[stack.back()];
      stack.pop_back();
      if (node.box.distance2(at) > distance * distance) continue;
      if (node.left >= 0) {
        stack.push_back(node.left);
        stack.push_back(node.right);
        continue;
      }
      for (int i = node.first; i < node.last; ++i) {
        const Vec3 w = nearest_weights(order_[i], p);
        const double d = (place(order_[i], w) - p).norm();
        if (d <= distance) visit(order_[i], w, d);
      }
    }
  }

 private:
  /// The fourth numbers are zero.
  struct Box {
    Lanes low{}, high{};

    /// Squared, m^2.
    double distance2(const Lanes& p) const {
      const Lanes away = largest(largest(low - p, p - high), Lanes{});
      const Lanes squared = away * away;
      return squared[0] + (squared[1] + squared[2]);
    }
  };
  struct Node {
    Box box;
    int left = -1, right = -1;  // children, or
    int first = 0, last = 0;    // a range of order_
  };
  struct Normal {
    Vec3 way;     // not of unit length
    double area;  // its squared length
  };

  static Lanes wide(const Vec3& p) { return Lanes{p.x(), p.y(), p.z(), 0.0}; }
  int build(int first, int last);
  Box box_about(int first, int last) const;
  void make_boxes();
  Vec3 nearest_weights(int triangle, const Vec3& p) const;
  Vec3 place(int triangle, const Vec3& weights) const;
  Vec3 pseudo_normal(int triangle, const Vec3& weights) const;
  void make_pseudo_normals();

  std::vector<Vec3> points_;
  std::vector<std::array<int, 3>> triangles_;
  std::vector<Vec3> face_normals_, vertex_normals_;
  std::vector<std::array<Vec3, 3>> edge_normals_;  // opposite to corner k
  std::vector<Node> nodes_;
  std::vector<int> order_;
  std::vector<Box> boxes_;       // of triangles as order_ has them
  std::vector<Normal> normals_;  // of triangles
  double reach2_ = 0.0;          // m^2; of the corner farthest from the origin
};

}  // namespace repose::shape
