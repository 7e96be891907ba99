#include <cmath>

#include "corner.h"
#include "nearest.h"

namespace repose::pile {
namespace {

/// A normal may stand on a cylinder's side if the cosine of its angle with the axis is below this,
/// and square to an edge or across a flat end if that is.
constexpr double kSide = 0.05;
constexpr double kAlong = 1e-3;
/// Newton's method on a normal: steps, and how far support points may lie aside, of size.
constexpr int kPolishSteps = 6;
constexpr double kMeet = 1e-14;
/// What is left of a normal made square to the axes: less says that it is none.
constexpr double kLeftSquare = 0.5;

/// Newton's method on a normal square to `edge` (unit) of the set `edge_on_b` says, until the other
/// set's support point lies across from that edge. Takes the normal where it separates better.
void polish_on_edge(const Convex& a, const Pose& pose_a, const Convex& b, const Pose& pose_b,
                    const Vec3& edge, bool edge_on_b, double size, Nearest& out, double& widest) {
  Vec3 n = out.normal - out.normal.dot(edge) * edge;
  n.normalize();
  Corner here = corner_of(a, pose_a, b, pose_b, n);
  for (int step = 0; step < kPolishSteps; ++step) {
    const Vec3 u = edge.cross(n);
    const double aside = u.dot(here.difference), slab = n.dot(here.difference);
    if (std::fabs(aside) <= kMeet * size) break;
    const Mat3 bend = bend_of(a, pose_a, n) + bend_of(b, pose_b, -n);
    const double stiff = u.dot(bend * u) + slab;
    if (!(std::fabs(aside) < stiff)) break;
    n = (n + aside / stiff * u).normalized();
    here = corner_of(a, pose_a, b, pose_b, n);
  }
  const double slab = n.dot(here.difference);
  if (!(slab > widest)) return;
  widest = slab;
  out.normal = n;
  // the other set's point is where they are nearest, unless an edge of its own lies there
  const Convex& other = edge_on_b ? a : b;
  const Pose& pose = edge_on_b ? pose_a : pose_b;
  for (const Vec3& e : other.edges)
    if (std::fabs(n.dot(pose.turn(e))) < kAlong) return;
  out.point_a = edge_on_b ? here.on_a : Vec3(here.on_b - slab * n);
  out.point_b = edge_on_b ? Vec3(here.on_a + slab * n) : here.on_b;
}

void search_edges(const Convex& a, const Pose& pose_a, const Convex& b, const Pose& pose_b,
                  double size, Nearest& out, double& widest) {
  for (const bool on_b : {false, true})
    for (const Vec3& e : (on_b ? b : a).edges) {
      const Vec3 edge = (on_b ? pose_b : pose_a).turn(e);
      if (std::fabs(edge.dot(out.normal)) < kAlong)
        polish_on_edge(a, pose_a, b, pose_b, edge, on_b, size, out, widest);
    }
}

/// Where an edge lies along the flat end of a cylinder or cone, it crosses the rim: the normals
/// square to both there.
void search_rims(const Convex& a, const Pose& pose_a, const Convex& b, const Pose& pose_b,
                 Nearest& out, double& widest) {
  const auto cross_rim = [&](const Convex& set, const Pose& pose, const Convex& other,
                             const Pose& other_pose, double side) {
    if (set.core != Convex::Core::discs) return;
    const Vec3 n = pose.rotation.conjugate() * Vec3(side * out.normal);  // away from the set
    if (std::fabs(n.z()) < 1.0 - kAlong) return;
    const double radius = n.z() > 0.0 ? set.high.radius : set.low.radius;
    std::vector<Vec3> ends = other.points;
    if (other.core == Convex::Core::discs)
      ends = {other.support(other_pose.rotation.conjugate() * Vec3(-side * out.normal))};
    for (const Vec3& e : other.edges) {
      const Vec3 edge = pose.rotation.conjugate() * other_pose.turn(e);
      if (std::fabs(edge.dot(n)) > kAlong) continue;
      for (const Vec3& end : ends) {
        const Vec3 from = pose.inverse() * (other_pose * end);
        const double square = edge.head<2>().squaredNorm(),
                     half = from.head<2>().dot(edge.head<2>());
        const double root = half * half - square * (from.head<2>().squaredNorm() - radius * radius);
        if (!(root >= 0.0)) continue;
        for (const double way : {-half - std::sqrt(root), -half + std::sqrt(root)}) {
          const Vec3 rim = from + way / square * edge;
          const Vec3 across = Vec3(-rim.y(), rim.x(), 0.0).cross(edge);
          if (!(across.norm() > 0.0)) continue;
          const Vec3 normal =
              side * pose.turn(across.normalized()) * (across.dot(n) < 0.0 ? -1.0 : 1.0);
          const double slab = normal.dot(corner_of(a, pose_a, b, pose_b, normal).difference);
          if (slab <= widest) continue;
          widest = slab;
          out.normal = normal;
          const Vec3 on_rim =
              pose * Vec3(rim.x(), rim.y(), n.z() > 0.0 ? set.high.height : set.low.height);
          out.point_a = side > 0.0 ? on_rim : Vec3(on_rim - slab * normal);
          out.point_b = side > 0.0 ? Vec3(on_rim + slab * normal) : on_rim;
        }
      }
    }
  };
  cross_rim(a, pose_a, b, pose_b, 1.0);
  cross_rim(b, pose_b, a, pose_a, -1.0);
}

bool cylinder(const Convex& set) {
  return set.core == Convex::Core::discs && set.low.radius == set.high.radius;
}

/// The axis of a cylinder grown by its radius: it holds the cylinder and has the same side.
void grown_axis(const Convex& set, Convex& out) {
  out.points = {Vec3(0.0, 0.0, set.low.height), Vec3(0.0, 0.0, set.high.height)};
  out.radius = set.low.radius;
  out.bound_center = set.bound_center;
  out.bound_radius = set.bound_radius + set.low.radius;
}

/// Where a cylinder is touched on its side, its axis tells the normal: the axes are far apart even
/// if the sides touch. Takes the normal so found where it separates better.
void search_sides(const Convex& a, const Pose& pose_a, const Convex& b, const Pose& pose_b,
                  Nearest& out, double& widest) {
  const Vec3 axis_a = pose_a.turn(Vec3::UnitZ()), axis_b = pose_b.turn(Vec3::UnitZ());
  const bool side_a = cylinder(a) && std::fabs(axis_a.dot(out.normal)) < kSide;
  const bool side_b = cylinder(b) && std::fabs(axis_b.dot(out.normal)) < kSide;
  Convex of_a, of_b;
  if (side_a) grown_axis(a, of_a);
  if (side_b) grown_axis(b, of_b);
  const auto look = [&](bool with_a, bool with_b) {
    const Nearest found =
        nearest_of(with_a ? of_a : a, pose_a, with_b ? of_b : b, pose_b, &out.normal);
    if (!found.apart) return;
    Vec3 n = found.normal;
    for (int round = 0; round < 2; ++round) {
      if (with_a) n -= n.dot(axis_a) * axis_a;
      if (with_b) n -= n.dot(axis_b) * axis_b;
    }
    if (!(n.norm() > kLeftSquare)) return;
    n.normalize();
    const double slab = n.dot(corner_of(a, pose_a, b, pose_b, n).difference);
    if (slab <= widest) return;
    widest = slab;
    out.normal = n;
    out.point_a = found.point_a + (with_a ? of_a.radius : 0.0) * n;
    out.point_b = found.point_b - (with_b ? of_b.radius : 0.0) * n;
  };
  if (side_a) look(true, false);
  if (side_b) look(false, true);
  if (side_a && side_b) look(true, true);
}

}  // namespace

void search_features(const Convex& a, const Pose& pose_a, const Convex& b, const Pose& pose_b,
                     double size, Nearest& out, double& widest) {
  search_sides(a, pose_a, b, pose_b, out, widest);
  search_rims(a, pose_a, b, pose_b, out, widest);
  search_edges(a, pose_a, b, pose_b, size, out, widest);
}

}  // namespace repose::pile
