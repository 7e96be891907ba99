#pragma once

#include <vector>

#include "arena.h"

namespace repose::surfel {

/// How far the clusters of a body have come from their places at rest, in a frame that goes and
/// turns with the body. Bounds how much nearer two of its balls can be than at rest.
class Deformed {
 public:
  /// A step begins; what was found for the last one holds no more.
  void begin(const Arena& arena);

  /// m; no ball of cluster a is nearer to one of b than at rest by more than this. Requires: both
  /// are of one body.
  double nearer(const Arena& arena, const Motion& motion, int a, int b);

 private:
  struct Frame {
    long found = -1;  // the step
    Mat3 turn = Mat3::Identity();
    Vec3 center = Vec3::Zero(), rest_center = Vec3::Zero();  // m
  };
  struct Shift {
    long found = -1;
    Vec3 anchor = Vec3::Zero();  // m; displacement of the anchor
    double beside = 0.0;         // m; that of a ball differs from it by no more
  };
  const Frame& frame(const Arena& arena, const Motion& motion, int body);
  const Shift& shift(const Arena& arena, const Motion& motion, int cluster);

  long step_ = 0;
  std::vector<Frame> frames_;  // per body
  std::vector<Shift> shifts_;  // per cluster
};

}  // namespace repose::surfel
