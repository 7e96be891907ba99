#include "bend.h"

#include <cmath>
#include <vector>

namespace repose::pile {
namespace {

/// Two points of an edge are farther apart than this, of size.
constexpr double kEdge = 1e-3;

}  // namespace

Mat3 bend_across(const Convex& set, const Vec3& n, const Vec3& towards) {
  const Mat3 across = Mat3::Identity() - n * n.transpose();
  const double flat = kFlatRadius * set.bound_radius;
  if (set.cell) return cell_bend(*set.cell, towards, n, flat) + set.radius * across;
  // a rim's bend across its axis has no bound
  const bool flat_end = set.core == Convex::Core::discs && std::hypot(n.x(), n.y()) <= kSamePlane;
  if (flat_end) return (set.radius + flat) * across;
  Mat3 out = set.bend(n) + set.radius * across;
  std::vector<Vec3> near;
  if (set.core == Convex::Core::points) {
    const double top = set.support(n).dot(n);
    for (const Vec3& p : set.points)
      if (top - n.dot(p) <= kSamePlane * set.bound_radius) near.push_back(p);
  } else if (set.core == Convex::Core::discs) {
    const double wide = std::hypot(n.x(), n.y());
    const auto rim = [&](const Convex::Disc& d) {
      const double share = wide > 0.0 ? d.radius / wide : 0.0;
      return Vec3(share * n.x(), share * n.y(), d.height);
    };
    const Vec3 p = rim(set.low), q = rim(set.high);
    if (std::fabs(n.dot(p - q)) <= kSamePlane * set.bound_radius) near = {p, q};
  }
  Vec3 edge = Vec3::Zero();
  for (std::size_t i = 1; i < near.size(); ++i) {
    const Vec3 along = near[i] - near[0];
    if (edge.isZero())
      edge = along;
    else if (edge.cross(along).norm() > kEdge * edge.norm() * set.bound_radius)
      return out + flat * across;
  }
  if (edge.norm() > kEdge * set.bound_radius) {
    const Vec3 e = (across * edge).normalized();
    out += flat * e * e.transpose();
  }
  return out;
}

Mat3 bend_in_world(const Convex& set, const Pose& pose, const Vec3& n, const Vec3& towards) {
  const Mat3 turn = pose.rotation.toRotationMatrix();
  const Vec3 there = turn.transpose() * (towards - pose.position);
  return turn * bend_across(set, turn.transpose() * n, there) * turn.transpose();
}

}  // namespace repose::pile
