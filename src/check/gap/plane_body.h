#pragma once

#include <vector>

#include "repose/check/input.h"

namespace repose::check {

/// A plane region where it lies in the world seen from an origin, x and y only.
struct PlaneBody {
  struct Side {
    Vec2 from, to;  // the region lies to the left
    Vec2 normal() const {
      const Vec2 d = (to - from).normalized();
      return {d.y(), -d.x()};
    }
  };
  struct PlacedDisc {
    Vec2 center;
    double radius;
  };
  std::vector<Side> sides;
  std::vector<Vec2> starts;           // one corner of every outer loop
  std::vector<std::size_t> loop_end;  // polygon k has sides [loop_end[k-1], loop_end[k])
  std::vector<PlacedDisc> discs;
  double reach = 0.0;  // no coordinate is larger
  double error = 0.0;  // m: no point is farther from its true place
  bool flat = true;    // the pose keeps the body in the plane

  explicit PlaneBody(const PlacedBody& item, const Vec3& origin = Vec3::Zero());
  void move(const Vec2& by);
};

struct PlaneClose {
  double distance = std::numeric_limits<double>::infinity();  // of solids; negative: discs overlap
  Vec2 a = Vec2::Zero(), b = Vec2::Zero();
  Vec2 normal_a_to_b = Vec2::UnitX();
};

/// Of a pair: beyond the bodies' own errors, what products of lengths lose.
inline constexpr double kPlaneError = 128.0 * std::numeric_limits<double>::epsilon();

/// Nearest of all pairs of sides and discs; sides that cross are at distance 0.
PlaneClose closest(const PlaneBody& a, const PlaneBody& b);
/// Signed distance of a point to the sides and discs: negative inside the region. The sign is right
/// where the result exceeds some 16 ulp of the reach: a ray's crossing of a side is then computed
/// on the right side of the point.
double depth_in(const PlaneBody& body, const Vec2& p);
Vec2 closest_on_side(const PlaneBody::Side& s, const Vec2& p);

}  // namespace repose::check
