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

bool Walls::meets_ray(const Vec3& from, const Vec3& direction, double radius) const {
  for (const Plane& plane : planes_)
    if (plane.normal.dot(direction) < -kParallel) return true;
  for (const FixedBall& ball : balls_) {
    const Vec3 to = ball.center - from;
    const double along = std::max(0.0, to.dot(direction)), room = ball.radius + radius;
    if ((to - along * direction).squaredNorm() <= room * room) return true;
  }
  if (triangles_.empty()) return false;
  Vec3 low = triangles_[0].corner[0], high = low;
  for (const Triangle& t : triangles_)
    for (const Vec3& c : t.corner) {
      low = low.cwiseMin(c);
      high = high.cwiseMax(c);
    }
  return meets_box(from, direction, low - Vec3::Constant(radius), high + Vec3::Constant(radius));
}

}  // namespace repose::pile
