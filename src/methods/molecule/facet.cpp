#include "facet.h"

#include <algorithm>
#include <cmath>

#include "repose/base/at.h"

namespace repose::molecule {

Facet::Facet(const Motion& motion, const std::array<int, 3>& corners)
    : points_{motion.x[at(corners[0])], motion.x[at(corners[1])], motion.x[at(corners[2])]} {}

Vec3 Facet::support(const Vec3& direction, int) const {
  std::size_t best = 0;
  for (std::size_t k = 1; k < 3; ++k)
    if (direction.dot(points_[k]) > direction.dot(points_[best])) best = k;
  return points_[best];
}

void Facet::corners(const Vec3&, int, std::vector<collide::Corner>& out) const {
  for (std::size_t k = 0; k < 3; ++k) out.push_back({points_[k], static_cast<int>(k)});
}

void Facet::near(const Vec3& point, double within, std::vector<int>& pieces) const {
  const Vec3 foot = collide::nearest_in_triangle(point, points_[0], points_[1], points_[2]);
  if ((point - foot).norm() < within) pieces.push_back(0);
}

collide::Plane Facet::plane(const Vec3& point, int) const {
  collide::Plane out;
  out.foot = collide::nearest_in_triangle(point, points_[0], points_[1], points_[2]);
  const Vec3 way = point - out.foot;
  const double length = way.norm();
  out.normal = length > 0.0
                   ? Vec3(way / length)
                   : Vec3((points_[1] - points_[0]).cross(points_[2] - points_[0]).normalized());
  out.offset = out.normal.dot(support(out.normal, 0));
  return out;
}

Vec3 Facet::middle() const {
  return (points_[0] + points_[1] + points_[2]) / 3.0;
}

double Facet::reach() const {
  const Vec3 center = middle();
  double out = 0.0;
  for (const Vec3& p : points_) out = std::max(out, (p - center).norm());
  return out;
}

double Facet::farthest_from(const std::array<Vec3, 3>& places) const {
  double squared = 0.0;
  for (std::size_t k = 0; k < 3; ++k)
    squared = std::max(squared, (points_[k] - places[k]).squaredNorm());
  return std::sqrt(squared);
}

collide::Parting Facet::part_from(const rigid::Rigid& solid, const rigid::RigidMotion& motion,
                                  int piece) const {
  return collide::part({this, 0, Pose()}, {solid.obstacle.get(), piece, motion.world_from_body});
}

double thickness_of(const Arena& arena, const std::array<int, 3>& corners) {
  return std::max(
      {arena.radius[at(corners[0])], arena.radius[at(corners[1])], arena.radius[at(corners[2])]});
}

}  // namespace repose::molecule
