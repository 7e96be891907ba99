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

GapBracket ball_torus(const Vec3& center, double radius, const PlacedBody& torus, double ring,
                      double tube, double form_error) {
  const Frame f = world_frame(torus);
  const Vec3 from = center - f.shift, p = f.turn.transpose() * from;
  const double across = std::hypot(p.x(), p.y());
  const Vec3 spine =
      across > 0.0 ? Vec3(ring * p.x() / across, ring * p.y() / across, 0.0) : Vec3(ring, 0.0, 0.0);
  const double d = std::hypot(across - ring, p.z());
  GapBracket g;
  // the nearest point of the spine tells all: no point of either is deeper in the other
  const double value = gap_of_balls(d, radius, tube);
  const double error = (f.turn_error + kSumError) * from.norm() +
                       kSumError * (from.norm() + ring + radius + tube) + form_error;
  g.lower = value - error;
  g.upper = value + error;
  const Vec3 between = spine - p;
  g.normal_a_to_b = d > 0.0 ? Vec3(f.turn * between / between.norm()) : Vec3(f.turn.col(2));
  g.point_a = center + radius * g.normal_a_to_b;
  g.point_b = f * spine - tube * g.normal_a_to_b;
  g.status = GapStatus::closed;
  g.tests = 1;
  return g;
}

}  // namespace repose::check
