#include "shape/enclose/triangle_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <Eigen/Geometry>

namespace repose::shape {
namespace {

constexpr int kLeafTriangles = 2;
/// Barycentric weights below this count as zero: the hit lies on an edge or corner.
constexpr double kOnFeature = 1e-12;
/// Boxes farther off than the nearest place so far by more than this hold nothing nearer, rounding
/// of either measure included. Part of the squares of distance and coordinates.
constexpr double kRounding = 1e-14;

double corner_angle(const Vec3& at, const Vec3& b, const Vec3& c) {
  const Vec3 x = b - at, y = c - at;
  return std::atan2(x.cross(y).norm(), x.dot(y));
}

/// Weights of the nearest point of segment a-b.
double along(const Vec3& a, const Vec3& b, const Vec3& p) {
  const double length = (b - a).squaredNorm();
  if (!(length > 0.0)) return 0.0;
  return std::clamp((p - a).dot(b - a) / length, 0.0, 1.0);
}

}  // namespace

TriangleTree::TriangleTree(std::vector<Vec3> points, std::vector<std::array<int, 3>> triangles)
    : points_(std::move(points)), triangles_(std::move(triangles)) {
  order_.resize(triangles_.size());
  for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = static_cast<int>(i);
  make_pseudo_normals();
  build(0, static_cast<int>(order_.size()));
  make_boxes();
}

void TriangleTree::make_boxes() {
  for (const Vec3& point : points_) reach2_ = std::max(reach2_, point.squaredNorm());
  for (int i = 0; i < static_cast<int>(order_.size()); ++i) boxes_.push_back(box_about(i, i + 1));
  for (const auto& corners : triangles_) {
    const Vec3 a = points_[corners[0]], b = points_[corners[1]], c = points_[corners[2]];
    const Vec3 n = (b - a).cross(c - a);
    normals_.push_back({n, n.squaredNorm()});
  }
}

TriangleTree::Box TriangleTree::box_about(int first, int last) const {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (int i = first; i < last; ++i)
    for (const int c : triangles_[order_[i]]) {
      low = low.cwiseMin(points_[c]);
      high = high.cwiseMax(points_[c]);
    }
  return {wide(low), wide(high)};
}

void TriangleTree::make_pseudo_normals() {
  face_normals_.resize(triangles_.size());
  edge_normals_.resize(triangles_.size());
  vertex_normals_.assign(points_.size(), Vec3::Zero());
  std::map<std::pair<int, int>, Vec3> edges;
  const auto key = [](int a, int b) { return std::make_pair(std::min(a, b), std::max(a, b)); };
  for (std::size_t t = 0; t < triangles_.size(); ++t) {
    const auto& c = triangles_[t];
    const Vec3 n = (points_[c[1]] - points_[c[0]]).cross(points_[c[2]] - points_[c[0]]);
    face_normals_[t] = n.norm() > 0.0 ? Vec3(n.normalized()) : Vec3(Vec3::Zero());
    for (int k = 0; k < 3; ++k) {
      const int a = c[k], b = c[(k + 1) % 3], d = c[(k + 2) % 3];
      vertex_normals_[a] += corner_angle(points_[a], points_[b], points_[d]) * face_normals_[t];
      auto [at, fresh] = edges.emplace(key(b, d), Vec3::Zero());
      at->second += face_normals_[t];
    }
  }
  for (std::size_t t = 0; t < triangles_.size(); ++t)
    for (int k = 0; k < 3; ++k)
      edge_normals_[t][k] = edges.at(key(triangles_[t][(k + 1) % 3], triangles_[t][(k + 2) % 3]));
}

int TriangleTree::build(int first, int last) {
  const int number = static_cast<int>(nodes_.size());
  nodes_.emplace_back();
  Node node{box_about(first, last), -1, -1, first, last};
  if (last - first > kLeafTriangles) {
    int axis = 0;
    const Lanes extent = node.box.high - node.box.low;
    Vec3(extent[0], extent[1], extent[2]).maxCoeff(&axis);
    const auto middle_of = [&](int t) {
      const auto& c = triangles_[t];
      return points_[c[0]][axis] + points_[c[1]][axis] + points_[c[2]][axis];
    };
    const int middle = first + (last - first) / 2;
    std::nth_element(order_.begin() + first, order_.begin() + middle, order_.begin() + last,
                     [&](int a, int b) {
                       const double x = middle_of(a), y = middle_of(b);
                       return x != y ? x < y : a < b;
                     });
    node.left = build(first, middle);
    node.right = build(middle, last);
  }
  nodes_[number] = node;
  return number;
}

Vec3 TriangleTree::place(int triangle, const Vec3& w) const {
  const auto& c = triangles_[triangle];
  return w[0] * points_[c[0]] + w[1] * points_[c[1]] + w[2] * points_[c[2]];
}

Vec3 TriangleTree::nearest_weights(int triangle, const Vec3& p) const {
  const auto& corners = triangles_[triangle];
  const Vec3 a = points_[corners[0]], b = points_[corners[1]], c = points_[corners[2]];
  const auto& [n, area] = normals_[triangle];
  if (area > 0.0) {
    const double wb = n.dot((p - a).cross(c - a)) / area;
    const double wc = n.dot((b - a).cross(p - a)) / area;
    if (wb >= 0.0 && wc >= 0.0 && wb + wc <= 1.0) return {1.0 - wb - wc, wb, wc};
  }
  Vec3 best = Vec3::Zero();
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 3; ++k) {
    const Vec3 from = points_[corners[k]], to = points_[corners[(k + 1) % 3]];
    const double t = along(from, to, p);
    const double d = (from + t * (to - from) - p).squaredNorm();
    if (d >= least) continue;
    least = d;
    best = Vec3::Zero();
    best[k] = 1.0 - t;
    best[(k + 1) % 3] = t;
  }
  return best;
}

Vec3 TriangleTree::pseudo_normal(int triangle, const Vec3& w) const {
  int zeros = 0, zero_at = 0, full_at = 0;
  for (int k = 0; k < 3; ++k) {
    if (w[k] <= kOnFeature) ++zeros, zero_at = k;
    if (w[k] > w[full_at]) full_at = k;
  }
  if (zeros == 2) return vertex_normals_[triangles_[triangle][full_at]];
  if (zeros == 1) return edge_normals_[triangle][zero_at];
  return face_normals_[triangle];
}

NearestOnMesh TriangleTree::nearest(const Vec3& p, int hint) const {
  NearestOnMesh best;
  double least = std::numeric_limits<double>::infinity();  // squared
  const Lanes at = wide(p);
  const double reach2 = std::max(reach2_, p.squaredNorm());
  const auto look_at = [&](int triangle) {
    const Vec3 w = nearest_weights(triangle, p);
    const Vec3 q = place(triangle, w);
    const double d = (q - p).squaredNorm();
    if (d < least) least = d, best = {triangle, w, q, 0.0, false};
  };
  if (hint >= 0) look_at(hint);
  // halving keeps the tree within this depth, and each level leaves one sibling waiting
  constexpr int kMaxDepth = 64;
  std::array<std::pair<double, int>, kMaxDepth> stack;
  int waiting = 0;
  stack[waiting++] = {0.0, 0};
  while (waiting > 0) {
    const auto [bound, number] = stack[--waiting];
    if (bound >= least) continue;
    const Node& node = nodes_[number];
    if (node.left < 0) {
      for (int i = node.first; i < node.last; ++i)
        if (boxes_[i].distance2(at) <= least + kRounding * (least + reach2)) look_at(order_[i]);
      continue;
    }
    const double l = nodes_[node.left].box.distance2(at), r = nodes_[node.right].box.distance2(at);
    // the nearer child last, so that it is looked at first
    const bool left_last = l < r;
    stack[waiting++] = left_last ? std::make_pair(r, node.right) : std::make_pair(l, node.left);
    stack[waiting++] = left_last ? std::make_pair(l, node.left) : std::make_pair(r, node.right);
  }
  best.distance = std::sqrt(least);
  if (best.triangle >= 0)
    best.inside = (p - best.point).dot(pseudo_normal(best.triangle, best.weights)) < 0.0;
  return best;
}

}  // namespace repose::shape
