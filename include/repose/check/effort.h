#pragma once

namespace repose::check {

/// What judging has cost, in counts that are the same on every machine and for any number of
/// threads. No answer depends on it.
struct Effort {
  long pairs = 0;     // boxes, balls and sides of the plane compared two by two
  long pieces = 0;    // pieces of surface opened
  long supports = 0;  // farthest points sought on pairs of convex bodies, and points tried in both
  long steps = 0;     // of Newton's method and of descents
  long rays = 0;      // followed to tell inside from outside
  long cells = 0;     // of directions that descents of resting poses passed
  long pivots = 0;    // of linear programs

  Effort& operator+=(const Effort& e);
  friend Effort operator-(const Effort& a, const Effort& b);
};

}  // namespace repose::check
