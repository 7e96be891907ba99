#pragma once

#include <vector>

#include "repose/math/lanes.h"

#include "rows.h"

namespace repose::molecule {

inline Lanes widen(const Vec3& a) {
  return Lanes{a.x(), a.y(), a.z(), 0.0};
}
inline Vec3 narrow(const Lanes& a) {
  return {a[0], a[1], a[2]};
}
inline double dot(const Lanes& a, const Lanes& b) {
  const Lanes product = a * b;
  return (product[0] + product[1]) + product[2];
}
inline Lanes cross(const Lanes& a, const Lanes& b) {
  return pick<1, 2, 0, 3>(a) * pick<2, 0, 1, 3>(b) - pick<2, 0, 1, 3>(a) * pick<1, 2, 0, 3>(b);
}

/// Velocities as the projection works on them: a molecule's three numbers and a zero, so that one
/// operation takes them all.
struct Flow {
  std::vector<Lanes> v;  // m/s
  std::vector<RigidMotion> rigids;

  /// Those of solids, and of the molecules that the rows and their frictions move.
  void read(const Arena& arena, const std::vector<Row>& rows, const Motion& motion);
  /// Back to where they were read from.
  void write(const Arena& arena, const std::vector<Row>& rows, Motion& motion) const;
};

/// As those of a motion.
double speed(const Row& row, const Flow& flow);
void push(const Arena& arena, const Row& row, double impulse, Flow& flow);

}  // namespace repose::molecule
