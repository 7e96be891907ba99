#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "repose/math/vec.h"

namespace repose::mechanism {

/// x, y of the centre of mass and the turn about z in radians, not wrapped; or their rates.
using Plane3 = Vec3;

inline double cross(const Vec2& a, const Vec2& b) {
  return a.x() * b.y() - a.y() * b.x();
}
/// z x v: a quarter turn counter-clockwise.
inline Vec2 left_of(const Vec2& v) {
  return {-v.y(), v.x()};
}
/// The velocity of a point `arm` away from the centre of mass.
inline Vec2 velocity_at(const Plane3& rate, const Vec2& arm) {
  return {rate.x() - rate.z() * arm.y(), rate.y() + rate.z() * arm.x()};
}

/// Cosine and sine of a turn.
struct Turn {
  double c = 1.0, s = 0.0;
  explicit Turn(double angle) : c(std::cos(angle)), s(std::sin(angle)) {}
  Vec2 operator*(const Vec2& v) const { return {c * v.x() - s * v.y(), s * v.x() + c * v.y()}; }
};

/// Places and rates of all bodies: the vector Y of Baraff 1995, eq. 2.
class Motion {
 public:
  std::vector<Plane3> place, rate;

  /// Of a body's turn; computed once for each angle. Not for several threads at a time.
  const Turn& turn(std::size_t body) const {
    if (turns_.size() <= body) turns_.resize(place.size(), {0.0, Turn(0.0)});
    auto& [angle, turn] = turns_[body];
    if (angle != place[body].z()) turn = Turn(angle = place[body].z());
    return turn;
  }

 private:
  mutable std::vector<std::pair<double, Turn>> turns_;
};

}  // namespace repose::mechanism
