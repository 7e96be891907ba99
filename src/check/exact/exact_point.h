#pragma once

#include <array>

#include "repose/math/exact.h"

#include "check/exact/rounding.h"

namespace repose::check {

/// The point (x, y, z) / w, w > 0, exactly, and in doubles for quick answers.
struct ExactPoint {
  std::array<Exact, 4> at;  // x, y, z, w
  Vec3 rounded = Vec3::Zero();
  double error = 0.0;  // the point lies within this of `rounded`, m

  ExactPoint() : at{Exact(), Exact(), Exact(), Exact(1.0)} {}
  explicit ExactPoint(const Vec3& p)
      : at{Exact(p.x()), Exact(p.y()), Exact(p.z()), Exact(1.0)}, rounded(p) {}
  explicit ExactPoint(std::array<Exact, 4> coordinates);
};

/// p m + q n for weights m, n > 0: a point strictly between the two.
ExactPoint between(const ExactPoint& p, const Exact& m, const ExactPoint& q, const Exact& n);
/// The middle of three points.
ExactPoint centroid(const ExactPoint& p, const ExactPoint& q, const ExactPoint& r);

/// Points of body a in the frame of body b, both where their poses say, without rounding: turns are
/// those of the exactly normalised quaternions, whose matrices are rational.
class ExactFrame {
 public:
  ExactFrame(const PlacedBody& b, const PlacedBody& a);
  ExactPoint operator*(const Vec3& x) const;

 private:
  std::array<std::array<Exact, 4>, 3> rows_;  // times (x, y, z, 1)
  Exact weight_;
  Frame rounded_;
};

/// Exact signs in which some number was out of the range of doubles are not sure; they are counted
/// here.
struct Doubts {
  bool any = false;
  int sign(const Exact& value) {
    any = any || !value.sure();
    return value.sign();
  }
};

/// Order by x, then y, then z: -1, 0 or 1. Along a line it is the order of its points.
int compare(const ExactPoint& p, const ExactPoint& q, Doubts& doubts);

using ExactVector = std::array<Exact, 3>;
/// q - p, times a positive number.
ExactVector difference(const ExactPoint& q, const ExactPoint& p);
ExactVector cross(const ExactVector& u, const ExactVector& v);
Exact dot(const ExactVector& u, const ExactVector& v);

/// On which side of the plane through a, b, c the point d lies, as orient3d.
int orient(const ExactPoint& a, const ExactPoint& b, const ExactPoint& c, const ExactPoint& d,
           Doubts& doubts);

/// The plane through three points; no plane where they lie on a line.
class ExactPlane {
 public:
  ExactPlane(const ExactPoint& a, const ExactPoint& b, const ExactPoint& c, Doubts& doubts);
  /// Linear in the coordinates of p; positive where a, b, c turn counter-clockwise seen from p.
  Exact value(const ExactPoint& p) const;
  int side(const ExactPoint& p, Doubts& doubts) const;
  const ExactVector& normal() const { return normal_; }
  bool none() const { return none_; }

 private:
  ExactVector normal_;
  ExactPoint on_;
  Exact offset_;
  Vec3 rounded_normal_ = Vec3::Zero();
  double reach_ = 0.0, error_ = 0.0;  // of the three points: longest side, rounding
  bool none_ = false;
};

}  // namespace repose::check
