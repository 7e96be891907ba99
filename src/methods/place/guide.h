#pragma once

#include <optional>
#include <span>

#include "row.h"

namespace repose::place {

/// Triangles over a body's surface in a hierarchy of boxes, each corner with its parameters on the
/// analytic feature (Snyder 1995, sections 2.1 and 3). Where two guides cross, a search for a
/// contact begins; they decide nothing else.
struct GuideTriangle {
  int feature = -1;
  std::array<Vec3, 3> at{};  // body frame
  std::array<Vec2, 3> uv{Vec2(0, 0), Vec2(0, 0), Vec2(0, 0)};
};

struct Box {
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();
};

struct GuideNode {
  Box box;  // body frame
  int triangle = -1;
  int kids = -1;  // two nodes from here on
};

class Guide {
 public:
  /// About `triangles` of them over all patches, uniform in each patch's parameters; a mesh body is
  /// its own guide.
  Guide(const Surface& surface, int triangles);

  const std::vector<GuideTriangle>& triangles() const { return triangles_; }
  const GuideNode& node(int i) const { return nodes_[static_cast<std::size_t>(i)]; }
  /// The root is node 0; no nodes: endless ground.
  bool empty() const { return nodes_.empty(); }
  /// Index of the triangle nearest to a point (body frame) by its middle; `skip`: a feature left
  /// out.
  int nearest(const Vec3& point, int skip) const;

 private:
  void add_patch(const Surface& surface, int feature, int cells);
  void add_ball(const Feature& feature, int index, int cells);
  void build(int node, std::span<int> items);

  std::vector<GuideTriangle> triangles_;
  std::vector<GuideNode> nodes_;
};

/// Collisions inside are disregarded: a known interface point stands for them.
struct NeglectSphere {
  Vec3 center_world = Vec3::Zero();
  double radius = 0.0;  // m
};

/// Where two guides cross: a point of both triangles, its parameters interpolated on each.
struct Collision {
  int feature_a = -1, feature_b = -1;
  Vec2 uv_a = Vec2::Zero(), uv_b = Vec2::Zero();
  Vec3 point_world = Vec3::Zero();
};

/// Depth-first traversal of both hierarchies; the larger box is opened, the smaller compared as it
/// is. The first collision outside all spheres of neglect.
std::optional<Collision> find_collision(const Guide& a, const Posed& at_a, const Guide& b,
                                        const Posed& at_b, std::span<const NeglectSphere> neglect);

}  // namespace repose::place
