#pragma once

#include <array>

#include "surface.h"

namespace repose::place {

/// g0 a + g1 b + c00 a^2 + c01 a b + c11 b^2, the coefficients known within `slack`.
struct Quadratic {
  double g0 = 0.0, g1 = 0.0;
  double c00 = 0.0, c01 = 0.0, c11 = 0.0;
  double slack00 = 0.0, slack01 = 0.0, slack11 = 0.0;
};
/// A lower bound of it over [-1, 1]^2.
double least_of(const Quadratic& q);

/// phi(x) = n.(x - origin) + (x - origin).K (x - origin) / 2: a curved sheet between two pieces.
/// With the mean of the two bodies' bendings as K both pieces bend away from it, so that even
/// pieces in contact are told apart while they are large.
struct Sheet {
  Vec3 n = Vec3::UnitZ();
  Mat3 bending = Mat3::Zero();  // K, symmetric, 1/m
  Vec3 origin = Vec3::Zero();

  /// The same sheet seen from a body's frame.
  Sheet in_frame(const Mat3& rotation, const Vec3& position) const;
  Sheet opposite() const { return {-n, -bending, origin}; }
};

/// Least of n.x over the piece (body frame), from its second order. Requires: `second` is c's own.
double least_along(const Cell& c, const Curving& second, const Vec3& n);

/// The same for a piece that is straight along one parameter (a cone's side): what n.x is over it,
/// it is at least along one of the two borders that the parameter ends at, and bends up along them
/// from places that are found by Newton's method. -infinity where it is not straight or does not
/// bend up.
double least_on_borders(const Feature& feature, const Cell& c, const Curving& second,
                        const Vec3& n);

/// Least of phi over the piece (body frame).
double least_over(const Cell& c, const Curving& second, const Sheet& sheet);

/// From the nearest point of the cell's triangle or parallelogram to `d`, both from its centre.
Vec3 way_from(const Cell& c, const Vec3& d);

/// A flat cell's corners, world or any other frame.
struct Corners {
  std::array<Vec3, 4> at;
  std::size_t count = 0;
};
Corners corners_of(const Cell& c, const Mat3& rotation, const Vec3& position);

/// From the nearest point of one convex polygon of the plane to that of another, exactly: two
/// segments, or a corner and a face. Of polygons that cross it tells nothing.
Vec3 way_between(const Corners& from, const Corners& to);

}  // namespace repose::place
