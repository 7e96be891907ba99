#pragma once

#include "repose/rigid/turning.h"

#include "rows.h"

namespace repose::surfel {

/// A corner of a solid that a step may bring to the plane of another.
struct SolidCorner {
  Touching touching;
  Parting parting;  // the gap is that of the corner
  Vec3 point = Vec3::Zero();
};

/// Solids among each other in a step, by planes of the step's start.
class SolidContacts {
 public:
  /// All that may come nearer than `keep` in a step h with these velocities.
  void look(const Arena& arena, const Motion& motion, double h, double keep);
  /// Sorted by their names.
  const std::vector<SolidCorner>& corners() const { return corners_; }
  /// The corner of that name; null: it is not near.
  const SolidCorner* find(const Touching& touching) const;
  /// The pair of pieces that is not shown to stay apart on the way from one motion to the other;
  /// null: all are.
  const rigid::RigidPair* first_open(const Arena& arena,
                                     const std::vector<rigid::RigidMotion>& from,
                                     const std::vector<rigid::RigidMotion>& to, double h) const;
  const std::vector<rigid::RigidPair>& pairs() const { return pairs_; }

 private:
  std::vector<rigid::RigidPair> pairs_;
  std::vector<SolidCorner> corners_;
};

/// s; so long a step may be that no plane of a turning solid bends by more than a share of the gap
/// that is kept. `fastest`: m/s, of all.
double turning_limit(const Arena& arena, const Motion& motion, double keep, double fastest);

}  // namespace repose::surfel
