#include <algorithm>
#include <limits>

#include "walls.h"

namespace repose::pile {
namespace {

/// A plane that a ray nears by less than this per metre is parallel to it.
constexpr double kParallel = 1e-12;

/// True if the ray meets the box.
bool meets_box(const Vec3& from, const Vec3& direction, const Vec3& low, const Vec3& high) {
  double enter = 0.0, leave = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 3; ++k) {
    if (direction[k] == 0.0) {
      if (from[k] < low[k] || from[k] > high[k]) return false;
      continue;
    }
    const double a = (low[k] - from[k]) / direction[k], b = (high[k] - from[k]) / direction[k];
    enter = std::max(enter, std::min(a, b));
    leave = std::min(leave, std::max(a, b));
  }
  return enter <= leave;
}

}  // namespace

bool Walls::meets_ray(const Vec3& start, const Vec3& direction, double radius) const {
  for (const Plane& plane : planes_)
    if (plane.normal.dot(direction) < -kParallel) return true;
  for (const FixedBall& ball : balls_) {
    const Vec3 to = ball.center - start;
    const double along = std::max(0.0, to.dot(direction)), room = ball.radius + radius;
    if ((to - along * direction).squaredNorm() <= room * room) return true;
  }
  const std::size_t count = triangles_.size() + cells_.size();
  if (count == 0) return false;
  Vec3 low, high, from, to;
  box_of(0, low, high);
  for (std::size_t n = 1; n < count; ++n) {
    box_of(n, from, to);
    low = low.cwiseMin(from);
    high = high.cwiseMax(to);
  }
  return meets_box(start, direction, low - Vec3::Constant(radius), high + Vec3::Constant(radius));
}

}  // namespace repose::pile
