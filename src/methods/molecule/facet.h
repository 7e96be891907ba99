#pragma once

#include "repose/collide/part.h"

#include "arena.h"

namespace repose::molecule {

/// A triangle of a body's skin as solids meet it: without thickness.
class Facet final : public collide::Obstacle {
 public:
  Facet(const Motion& motion, const std::array<int, 3>& corners);

  Vec3 support(const Vec3& direction, int piece) const override;
  void corners(const Vec3& down, int piece, std::vector<collide::Corner>& out) const override;
  void near(const Vec3& point, double within, std::vector<int>& pieces) const override;
  collide::Plane plane(const Vec3& point, int piece) const override;

  const std::array<Vec3, 3>& points() const { return points_; }
  /// A ball that holds it.
  Vec3 middle() const;
  double reach() const;  // m, from the middle
  /// m; how far the corner that went farthest is from where it was.
  double farthest_from(const std::array<Vec3, 3>& places) const;

  /// A plane before which it lies, and behind which the piece of the solid does.
  collide::Parting part_from(const rigid::Rigid& solid, const rigid::RigidMotion& motion,
                             int piece) const;

 private:
  std::array<Vec3, 3> points_;
};

/// m; the thickest of a triangle's molecules.
double thickness_of(const Arena& arena, const std::array<int, 3>& corners);

}  // namespace repose::molecule
