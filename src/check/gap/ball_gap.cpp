#include "check/gap/ball_gap.h"

#include <algorithm>
#include <cmath>

#include "check/exact/rounding.h"

namespace repose::check {

double gap_of_balls(double apart, double radius_a, double radius_b) {
  if (apart >= radius_a + radius_b) return apart - radius_a - radius_b;
  return -std::max(radius_b - std::max(0.0, apart - radius_a),
                   radius_a - std::max(0.0, apart - radius_b));
}

GapBracket ball_ball(const Vec3& center_a, double radius_a, const Vec3& center_b, double radius_b) {
  const Vec3 between = center_b - center_a;
  const double d = between.norm();
  GapBracket g;
  const double value = gap_of_balls(d, radius_a, radius_b);
  const double error = kSumError * (d + radius_a + radius_b);
  g.lower = value - error;
  g.upper = value + error;
  g.normal_a_to_b = d > 0.0 ? Vec3(between / d) : Vec3(Vec3::UnitZ());
  g.point_a = center_a + radius_a * g.normal_a_to_b;
  g.point_b = center_b - radius_b * g.normal_a_to_b;
  g.status = GapStatus::closed;
  g.tests = 1;
  return g;
}

GapBracket ground_ball(const Vec3& origin, const Vec3& up, double up_error, const Vec3& center,
                       double radius) {
  const Vec3 from = center - origin;
  const double height = up.dot(from);
  GapBracket g;
  const double error = (up_error + kSumError) * from.norm() + kSumError * radius;
  g.lower = height - radius - error;
  g.upper = height - radius + error;
  g.normal_a_to_b = up;
  g.point_a = center - height * up;
  g.point_b = center - radius * up;
  g.status = GapStatus::closed;
  g.tests = 1;
  return g;
}

}  // namespace repose::check
