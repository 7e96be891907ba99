#pragma once

#include <vector>

#include "check/exact/exact_point.h"

namespace repose::check {

/// Three corners, counter-clockwise seen from outside, with their plane.
struct ExactTriangle {
  ExactTriangle(const ExactPoint& a, const ExactPoint& b, const ExactPoint& c, Doubts& doubts)
      : corner{a, b, c}, plane(a, b, c, doubts) {}
  std::array<ExactPoint, 3> corner;
  ExactPlane plane;
};

/// What two triangles share.
struct TriangleContact {
  enum class Kind {
    apart,      // no point
    touching,   // at most sides or corners of one of them
    crossing,   // points inside both, their planes differ
    same_area,  // an area of one plane, with the same outside
    back_area,  // an area of one plane, outsides opposed
  };
  Kind kind = Kind::apart;
  std::vector<ExactPoint> points;  // corners of what is shared; not given for `crossing`
};

/// Requires: both are proper triangles (plane.none() is false).
TriangleContact meet(const ExactTriangle& a, const ExactTriangle& b, Doubts& doubts);

}  // namespace repose::check
