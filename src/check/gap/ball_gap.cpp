#include "check/gap/ball_gap.h"

#include <algorithm>
#include <cmath>

namespace repose::check {

double gap_of_balls(double apart, double radius_a, double radius_b) {
  if (apart >= radius_a + radius_b) return apart - radius_a - radius_b;
  return -std::max(radius_b - std::max(0.0, apart - radius_a),
                   radius_a - std::max(0.0, apart - radius_b));
}

namespace {

GapBracket closed(const prove::Bracket& known, const Vec3& normal_a_to_b) {
  GapBracket g;
  g.lower = known.lower();
  g.upper = known.upper();
  g.normal_a_to_b = normal_a_to_b;
  g.status = GapStatus::closed;
  g.tests = 1;
  return g;
}

}  // namespace

GapBracket ball_ball(const Vec3& center_a, double radius_a, const Vec3& center_b, double radius_b) {
  const Vec3 between = center_b - center_a;
  const double d = between.norm();
  GapBracket g = closed(prove::ball_ball(center_a, radius_a, center_b, radius_b),
                        d > 0.0 ? Vec3(between / d) : Vec3(Vec3::UnitZ()));
  g.point_a = center_a + radius_a * g.normal_a_to_b;
  g.point_b = center_b - radius_b * g.normal_a_to_b;
  return g;
}

GapBracket ground_ball(const prove::Ground& ground, const Frame& frame, const Vec3& center,
                       double radius) {
  const Vec3 up = frame.turn.col(2);
  GapBracket g = closed(ground.gap_of_ball(center, radius), up);
  g.point_a = center - up.dot(center - frame.shift) * up;
  g.point_b = center - radius * up;
  return g;
}

GapBracket ball_torus(const Vec3& center, double radius, const PlacedBody& torus, double ring,
                      double tube, double form_error) {
  const Frame f = world_frame(torus);
  const Vec3 p = f.turn.transpose() * (center - f.shift);
  const double across = std::hypot(p.x(), p.y());
  const Vec3 spine =
      across > 0.0 ? Vec3(ring * p.x() / across, ring * p.y() / across, 0.0) : Vec3(ring, 0.0, 0.0);
  const Vec3 between = spine - p;
  const double d = between.norm();
  const prove::Bracket known =
      prove::ball_torus(center, radius, torus.world_from_body, ring, tube, form_error);
  GapBracket g = closed(known, d > 0.0 ? Vec3(f.turn * between / d) : Vec3(f.turn.col(2)));
  g.point_a = center + radius * g.normal_a_to_b;
  g.point_b = f * spine - tube * g.normal_a_to_b;
  return g;
}

}  // namespace repose::check
