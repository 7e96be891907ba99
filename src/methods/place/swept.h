#pragma once

#include <optional>
#include <vector>

#include "repose/shape/curve.h"
#include "repose/shape/shape.h"

namespace repose::place {

/// A piece of a spine: it lies in  middle + s along + s^2 (bend + [-rad, rad]),  |s| <= 1.
struct Arc {
  double t0 = 0.0, t1 = 1.0;
  Vec3 middle = Vec3::Zero(), along = Vec3::Zero(), bend = Vec3::Zero(), rad = Vec3::Zero();
  int kids = -1;  // its two halves; made when first asked for
};

/// A body that a ball draws along a curve: every point of it lies within `radius` of the spine.
class Swept {
 public:
  Swept(shape::CurvePtr spine, double radius);

  double radius() const { return radius_; }
  const Arc& arc(int i) const { return arcs_[static_cast<std::size_t>(i)]; }
  /// First of the two halves of arc i. The whole spine is arc 0.
  int split(int i);

 private:
  Arc arc_over(double t0, double t1) const;

  shape::CurvePtr spine_;
  double radius_;
  std::vector<Arc> arcs_;
};

/// A convex body of revolution about z, body frame: it lies within `radius` of the solid whose
/// outline runs through `corners` (rho, z), from the axis to the axis, z growing.
struct Turned {
  std::vector<Vec2> corners;
  double radius = 0.0;

  /// A unit direction (rho, z), rho not negative, and how far the point stands beyond all of the
  /// outline along it: for points outside, the way from the nearest place. Negative: inside.
  struct Nearest {
    Vec2 direction = Vec2(0.0, 1.0);
    double distance = 0.0;
  };
  Nearest nearest(const Vec2& at) const;
};

/// Torus, capsule, tube of one radius; none for other shapes.
std::optional<Swept> swept_of(const shape::Shape& shape);
/// Frustum (cone, cylinder), capsule, ball; none for other shapes.
std::optional<Turned> turned_of(const shape::Shape& shape);

}  // namespace repose::place
