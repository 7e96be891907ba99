#pragma once

#include <vector>

#include "repose/math/vec.h"
#include "repose/prove/answer.h"

namespace repose::check {

/// Balls that are to be a wall about something, and what lies on either side of it.
struct Wall {
  std::vector<Vec3> centers;  // world, m
  std::vector<double> radii;  // m; parallel to centers
  std::vector<Vec3> inner;    // points to which no way may lead from far away but through a ball
  std::vector<Vec3> outer;    // points to which one must lead
};

struct Enclosure {
  /// proven: the wall has no hole through which an inner point could be reached, and no outer point
  /// lies within it. missed: a way through a hole, or a point within, is certain.
  prove::Answer answer = prove::Answer::undecided;
  int inner = -1, outer = -1;  // the first point that is not where it should be; -1: none
  double cell = 0.0;           // m: space was looked at in cubes of this width
};

/// Space is cut into cubes. Those that lie wholly in one ball are shut, and those whose smaller and
/// smaller parts each lie wholly in one; what cannot be reached from
/// outside through the others, corners and edges included, is enclosed. What is reached through the
/// faces of cubes that meet no ball is open. Cubes are halved while neither is certain.
Enclosure enclosure(const Wall& wall);

}  // namespace repose::check
