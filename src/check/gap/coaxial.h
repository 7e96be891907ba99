#pragma once

#include "check/gap/distance.h"

namespace repose::check {

/// A frame whose z axis nearly is that of another, perhaps upside down. A point (r, z) at azimuth
/// phi of what is turned about the one lies in the half plane of the other, to second order, at
///   (r + t.e(phi) + z w, z + rise - r w),  w = omega_y cos phi - omega_x sin phi,
/// where e(phi) is the unit vector of that azimuth.
struct NearlyOneAxis {
  Frame b_in_a;
  Vec2 tilt = Vec2::Zero();   // omega, rad
  Vec2 shift = Vec2::Zero();  // t, m
  double rise = 0.0;          // m
  double over = 1.0;          // -1: b stands on its head
  double stray = 0.0;         // m: no point of b is moved farther by tilt and shift
  double slack = 0.0;         // m: rounding

  /// Where the point p = (r, z) of b lies in the half plane of a.
  Vec2 point(const Vec2& p, double phi) const;
  /// The same of a difference of two points.
  Vec2 way(const Vec2& p, double phi) const;
  /// What that leaves out for points at least r from b's axis, m.
  double second_order(double r) const;
};

/// The faces of two bodies that are turned about very nearly one axis, measured in the half plane
/// (r, z): points in space are never nearer than there, since a has no azimuth. A lid on its rim
/// touches along a whole circle; planes between small pieces tell such a gap only at a cost that
/// grows as it shrinks, the meridians tell it at once.
class Coaxial {
 public:
  Coaxial(const Surface& a, const Surface& b, const Frame& b_in_a);

  /// Both have turned faces, and what is left out is small beside `width` (m).
  bool applies(double width) const;
  bool covers(int face_a, int face_b) const;
  /// The distance of the covered faces, as near to the goal as the budget allows.
  Distance distance(const DistanceGoal& goal) const;

 private:
  const Surface& a_;
  const Surface& b_;
  NearlyOneAxis at_;
  std::vector<char> turned_a_, turned_b_;
};

}  // namespace repose::check
