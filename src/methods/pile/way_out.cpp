#include "way_out.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "nearest.h"

namespace repose::pile {
namespace {

constexpr int kMostRounds = 120;
constexpr std::size_t kMostFacets = 1000;
/// The search ends when no way is shorter than the one found by more than this share of it.
constexpr double kRelative = 1e-3;
/// Volumes and heights below this share of the difference's size are rounding.
constexpr double kFlat = 1e-9;

/// Grows a hull of points of the difference {p - q : p of a, q of b} towards its boundary.
class Polytope {
 public:
  Polytope(const Convex& a, const Pose& pose_a, const Convex& b, const Pose& pose_b)
      : a_(a), b_(b), pose_a_(pose_a), pose_b_(pose_b) {}

  WayOut search() {
    try_normal(Vec3::UnitZ());
    if (!start()) return best_;
    for (int round = 0; round < kMostRounds; ++round) {
      const Facet* nearest = &facets_[0];
      for (const Facet& facet : facets_)
        if (facet.height < nearest->height) nearest = &facet;
      const Vec3 normal = nearest->normal;
      const double height = nearest->height;
      const Vec3 point = try_normal(normal);
      if (normal.dot(point) - height <= kRelative * best_.depth + kFlat * size_) break;
      if (!grow(point)) break;
    }
    return best_;
  }

 private:
  struct Facet {
    std::array<int, 3> corner;
    Vec3 normal;    // unit, outward
    double height;  // m, of its plane above the origin
  };

  /// The point of the difference farthest along the normal; b leaves a along it after as much.
  Vec3 try_normal(const Vec3& normal) {
    const Vec3 p = pose_a_ * a_.support(pose_a_.inverse().turn(normal));
    const Vec3 q = pose_b_ * b_.support(pose_b_.inverse().turn(Vec3(-normal)));
    const double depth = -slab_between(a_, pose_a_, b_, pose_b_, normal);
    if (!(depth >= best_.depth)) best_ = {normal, depth};
    return p - q + (a_.radius + b_.radius) * normal;
  }

  /// A tetrahedron of four points; false where the difference is flat.
  bool start() {
    std::vector<Vec3> found;
    for (int k = 0; k < 3; ++k)
      for (const double side : {1.0, -1.0}) found.push_back(try_normal(side * Vec3::Unit(k)));
    const Vec3 first = found[0];
    const auto farthest = [&](auto measure) {
      Vec3 out = first;
      for (const Vec3& p : found)
        if (measure(p) > measure(out)) out = p;
      return out;
    };
    const Vec3 second = farthest([&](const Vec3& p) { return (p - first).norm(); });
    size_ = (second - first).norm();
    if (!(size_ > 0.0)) return false;
    const Vec3 along = (second - first) / size_, aside = along.unitOrthogonal();
    for (const Vec3& way :
         {aside, Vec3(-aside), Vec3(along.cross(aside)), Vec3(aside.cross(along))})
      found.push_back(try_normal(way));
    const Vec3 third = farthest([&](const Vec3& p) { return along.cross(p - first).norm(); });
    const Vec3 across = along.cross(third - first);
    if (!(across.norm() > kFlat * size_)) return false;
    const Vec3 up = across.normalized();
    found.push_back(try_normal(up));
    found.push_back(try_normal(-up));
    const Vec3 fourth = farthest([&](const Vec3& p) { return std::abs(up.dot(p - first)); });
    if (!(std::abs(up.dot(fourth - first)) > kFlat * size_)) return false;
    points_ = {first, second, third, fourth};
    middle_ = 0.25 * (first + second + third + fourth);
    for (const auto& corner : {std::array{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}}) add(corner);
    for (const Vec3& p : found) grow(p);
    return true;
  }

  void add(std::array<int, 3> corner) {
    const Vec3 &p = points_[corner[0]], &q = points_[corner[1]], &r = points_[corner[2]];
    Vec3 normal = (q - p).cross(r - p);
    if (!(normal.norm() > 0.0)) return;
    normal.normalize();
    if (normal.dot(middle_ - p) > 0.0) {
      normal = -normal;
      std::swap(corner[1], corner[2]);
    }
    facets_.push_back({corner, normal, normal.dot(p)});
  }

  /// Takes in a point; false where it lies within already.
  bool grow(const Vec3& point) {
    std::vector<Facet> kept, seen;
    for (const Facet& facet : facets_)
      (facet.normal.dot(point) - facet.height > kFlat * size_ ? seen : kept).push_back(facet);
    if (seen.empty()) return false;
    // edges of what the point sees that border on what it does not
    std::vector<std::pair<int, int>> rim;
    for (const Facet& facet : seen)
      for (int k = 0; k < 3; ++k) {
        const std::pair<int, int> edge = std::minmax(facet.corner[k], facet.corner[(k + 1) % 3]);
        const auto again = std::find(rim.begin(), rim.end(), edge);
        if (again == rim.end())
          rim.push_back(edge);
        else
          rim.erase(again);
      }
    if (kept.size() + rim.size() > kMostFacets) return false;
    facets_ = std::move(kept);
    points_.push_back(point);
    const int last = static_cast<int>(points_.size()) - 1;
    for (const auto& [from, to] : rim) add({from, to, last});
    return !facets_.empty();
  }

  const Convex &a_, &b_;
  const Pose &pose_a_, &pose_b_;
  std::vector<Vec3> points_;
  std::vector<Facet> facets_;
  Vec3 middle_ = Vec3::Zero();  // a point within
  double size_ = 0.0;           // m
  WayOut best_{Vec3::UnitZ(), std::numeric_limits<double>::infinity()};
};

}  // namespace

WayOut shortest_way_out(const Convex& a, const Pose& world_from_a, const Convex& b,
                        const Pose& world_from_b) {
  return Polytope(a, world_from_a, b, world_from_b).search();
}

}  // namespace repose::pile
