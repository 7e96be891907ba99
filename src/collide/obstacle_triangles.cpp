#include <algorithm>
#include <numeric>

#include "repose/collide/obstacle.h"

namespace repose::collide {

namespace {

/// Triangles of a leaf.
constexpr int kLeaf = 4;

struct Node {
  Vec3 low, high;
  int first = 0, count = 0;   // of a leaf: its triangles in `order`
  int left = -1, right = -1;  // of the others
};

double squared_distance(const Node& node, const Vec3& p) {
  return (p - p.cwiseMax(node.low).cwiseMin(node.high)).squaredNorm();
}

class TriangleObstacle final : public Obstacle {
 public:
  TriangleObstacle(std::vector<Vec3> points, std::vector<std::array<int, 3>> triangles,
                   double margin)
      : points_(std::move(points)), triangles_(std::move(triangles)), margin_(margin) {
    order_.resize(triangles_.size());
    std::iota(order_.begin(), order_.end(), 0);
    if (!order_.empty()) build(0, static_cast<int>(order_.size()));
  }

  void near(const Vec3& point, double within, std::vector<int>& pieces) const override {
    const std::size_t before = pieces.size();
    const double reach = within + margin_;
    if (!nodes_.empty() && reach > 0.0) visit(0, point, reach * reach, pieces);
    std::sort(pieces.begin() + static_cast<std::ptrdiff_t>(before), pieces.end());
  }

  int pieces() const override { return static_cast<int>(triangles_.size()); }
  Vec3 support(const Vec3& direction, int piece) const override {
    const auto& triangle = triangles_[static_cast<std::size_t>(piece)];
    Vec3 out = corner(triangle[0]);
    for (const int k : triangle)
      if (direction.dot(corner(k)) > direction.dot(out)) out = corner(k);
    return out + margin_ * direction;
  }
  void corners(const Vec3& down, int piece, std::vector<Corner>& out) const override {
    for (const int k : triangles_[static_cast<std::size_t>(piece)])
      out.push_back({corner(k) + margin_ * down, k});
  }

  Plane plane(const Vec3& point, int piece) const override {
    const auto& [a, b, c] = triangles_[static_cast<std::size_t>(piece)];
    const Vec3 &p = corner(a), &q = corner(b), &r = corner(c);
    Plane out;
    out.foot = nearest_in_triangle(point, p, q, r);
    const Vec3 way = point - out.foot;
    const double length = way.norm();
    out.normal = length > 0.0 ? Vec3(way / length) : Vec3((q - p).cross(r - p).normalized());
    out.offset = std::max({out.normal.dot(p), out.normal.dot(q), out.normal.dot(r)}) + margin_;
    return out;
  }

 private:
  const Vec3& corner(int i) const { return points_[static_cast<std::size_t>(i)]; }
  Vec3 middle(int triangle) const {
    const auto& [a, b, c] = triangles_[static_cast<std::size_t>(triangle)];
    return corner(a) + corner(b) + corner(c);
  }

  int build(int first, int last) {
    Node node;
    node.low = node.high =
        corner(triangles_[static_cast<std::size_t>(order_[static_cast<std::size_t>(first)])][0]);
    for (int i = first; i < last; ++i)
      for (const int k :
           triangles_[static_cast<std::size_t>(order_[static_cast<std::size_t>(i)])]) {
        node.low = node.low.cwiseMin(corner(k));
        node.high = node.high.cwiseMax(corner(k));
      }
    node.first = first;
    node.count = last - first;
    const int place = static_cast<int>(nodes_.size());
    nodes_.push_back(node);
    if (last - first <= kLeaf) return place;
    // halves along the longest side
    int axis = 0;
    (node.high - node.low).maxCoeff(&axis);
    const int half = first + (last - first) / 2;
    std::nth_element(order_.begin() + first, order_.begin() + half, order_.begin() + last,
                     [&](int s, int t) {
                       const double p = middle(s)[axis], q = middle(t)[axis];
                       return p != q ? p < q : s < t;
                     });
    const int left = build(first, half), right = build(half, last);
    nodes_[static_cast<std::size_t>(place)].left = left;
    nodes_[static_cast<std::size_t>(place)].right = right;
    return place;
  }

  void visit(int place, const Vec3& p, double reach_squared, std::vector<int>& pieces) const {
    const Node& node = nodes_[static_cast<std::size_t>(place)];
    if (squared_distance(node, p) >= reach_squared) return;
    if (node.left >= 0) {
      visit(node.left, p, reach_squared, pieces);
      visit(node.right, p, reach_squared, pieces);
      return;
    }
    for (int i = node.first; i < node.first + node.count; ++i) {
      const int t = order_[static_cast<std::size_t>(i)];
      const auto& [a, b, c] = triangles_[static_cast<std::size_t>(t)];
      const Vec3 foot = nearest_in_triangle(p, corner(a), corner(b), corner(c));
      if ((p - foot).squaredNorm() < reach_squared) pieces.push_back(t);
    }
  }

  std::vector<Vec3> points_;
  std::vector<std::array<int, 3>> triangles_;
  double margin_;
  std::vector<int> order_;
  std::vector<Node> nodes_;
};

}  // namespace

// Ericson 2005, section 5.1.5: by the region of the plane that p's projection lies in
Vec3 nearest_in_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 ab = b - a, ac = c - a, ap = p - a;
  const double d1 = ab.dot(ap), d2 = ac.dot(ap);
  if (d1 <= 0.0 && d2 <= 0.0) return a;
  const Vec3 bp = p - b;
  const double d3 = ab.dot(bp), d4 = ac.dot(bp);
  if (d3 >= 0.0 && d4 <= d3) return b;
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) return a + (d1 / (d1 - d3)) * ab;
  const Vec3 cp = p - c;
  const double d5 = ab.dot(cp), d6 = ac.dot(cp);
  if (d6 >= 0.0 && d5 <= d6) return c;
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) return a + (d2 / (d2 - d6)) * ac;
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0)
    return b + ((d4 - d3) / ((d4 - d3) + (d5 - d6))) * (c - b);
  const double sum = va + vb + vc;
  return a + (vb / sum) * ab + (vc / sum) * ac;
}

std::shared_ptr<const Obstacle> triangle_obstacle(std::vector<Vec3> points,
                                                  std::vector<std::array<int, 3>> triangles,
                                                  double margin) {
  return std::make_shared<TriangleObstacle>(std::move(points), std::move(triangles), margin);
}

}  // namespace repose::collide
