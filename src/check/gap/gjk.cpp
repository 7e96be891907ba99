#include "check/gap/gjk.h"

namespace repose::check {

ConvexPair::ConvexPair(const ConvexBody& first, const ConvexBody& second, const Frame& b_in_a)
    : a(first), b(second), frame(b_in_a) {
  error = frame.error(b.reach()) + frame.turn_error * b.reach() + a.error() + b.error() +
          2.0 * kSumError * (a.reach() + b.reach() + frame.shift.norm());
}

double ConvexPair::plane_bound(const Vec3& d) const {
  return d.dot(farthest_b(d) - farthest_a(d)) - a.skin() - b.skin() - error;
}

CoreDistance core_distance(const ConvexPair& pair, const Vec3& shift, double width, double enough) {
  constexpr double kNothing = 1e-14;  // of the bodies' reach: no distance
  const double nothing =
      kNothing * (pair.a.reach() + pair.b.reach() + (pair.frame.shift + shift).norm());
  Vec3 start = pair.frame * pair.b.center() + shift - pair.a.center();
  if (!(start.norm() > nothing)) start = Vec3::UnitZ();
  return gjk([&](const Vec3& d) { return pair.farthest_a(d); },
             [&](const Vec3& d) -> Vec3 { return pair.farthest_b(d) + shift; }, start, width,
             enough, nothing);
}

}  // namespace repose::check
