#include "check/gap/sphere_tree.h"

#include <algorithm>
#include <numeric>

#include "check/exact/rounding.h"

namespace repose::check {

WorldBalls WorldBalls::of(const PlacedBody& body) {
  WorldBalls out;
  if (const auto* ball = std::get_if<shape::Ball>(&body.shape->geometry)) {
    out.centers = {body.world_from_body.position};
    out.radii = {ball->radius};
    return out;
  }
  const auto* set = std::get_if<shape::SphereSet>(&body.shape->geometry);
  if (set == nullptr) return out;
  out.radii = body.radii.empty() ? set->radii : body.radii;
  const std::size_t count = set->centers.size();
  const bool rest = body.points_world.empty();
  if (out.radii.size() != count || (!rest && body.points_world.size() != count)) return {};
  out.centers = body.points_world;
  if (!rest) return out;
  const Frame frame = world_frame(body);
  double far = 0.0;
  for (const Vec3& center : set->centers) {
    out.centers.push_back(frame * center);
    far = std::max(far, center.norm());
  }
  out.error = frame.error(far);
  return out;
}

SphereTree::SphereTree(const std::vector<Vec3>& from, const std::vector<Vec3>& to,
                       const std::vector<double>& radii)
    : order_(from.size()) {
  std::iota(order_.begin(), order_.end(), 0);
  build(from, to, radii, 0, static_cast<int>(from.size()));
}

int SphereTree::build(const std::vector<Vec3>& from, const std::vector<Vec3>& to,
                      const std::vector<double>& radii, int first, int count) {
  constexpr int kLeaf = 8;
  const auto self = static_cast<int>(nodes_.size());
  Node node;
  node.low = Vec3::Constant(std::numeric_limits<double>::infinity());
  node.high = -node.low;
  node.first = first;
  node.count = count;
  for (int k = first; k < first + count; ++k) {
    const auto i = static_cast<std::size_t>(item(k));
    node.low = node.low.cwiseMin(from[i]).cwiseMin(to[i]);
    node.high = node.high.cwiseMax(from[i]).cwiseMax(to[i]);
    node.radius = std::max(node.radius, radii[i]);
  }
  nodes_.push_back(node);
  if (count <= kLeaf) return self;
  int axis = 0;
  (node.high - node.low).maxCoeff(&axis);
  // the index breaks ties, so that the tree does not hang on the library's selection
  std::nth_element(order_.begin() + first, order_.begin() + first + count / 2,
                   order_.begin() + first + count, [&](int a, int b) {
                     const double ca = from[static_cast<std::size_t>(a)][axis];
                     const double cb = from[static_cast<std::size_t>(b)][axis];
                     return ca != cb ? ca < cb : a < b;
                   });
  const int left = build(from, to, radii, first, count / 2);
  const int right = build(from, to, radii, first + count / 2, count - count / 2);
  nodes_[static_cast<std::size_t>(self)].left = left;
  nodes_[static_cast<std::size_t>(self)].right = right;
  return self;
}

double least_gap(const SphereTree::Node& a, const SphereTree::Node& b) {
  const Vec3 apart = (a.low - b.high).cwiseMax(b.low - a.high).cwiseMax(0.0);
  const double distance = apart.norm(), radii = a.radius + b.radius;
  return distance - radii - kSumError * (distance + radii);
}

}  // namespace repose::check
