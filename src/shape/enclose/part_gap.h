#pragma once

#include <memory>

#include "repose/shape/tessellate.h"

#include "shape/enclose/triangle_tree.h"

namespace repose::shape {

/// Where a point's nearest place on a part was found.
struct PartPlace {
  int face = -1;  // -1: not known
  Vec2 uv = Vec2::Zero();
  PatchJet jet;  // there
};

/// Signed distance to one closed part: a mesh says which side and where about, Newton on the
/// patches how far exactly.
class PartGap {
 public:
  explicit PartGap(const Part& part, double chord);

  /// Metres, negative inside.
  double operator()(const Vec3& p) const;
  /// The mesh's answer: off by at most rough_error().
  double rough(const Vec3& p) const;
  double rough_error() const { return mesh_.chord_error; }
  /// Exact where the sign is in doubt, else rough; the sign is right everywhere. `hint` is what a
  /// call for a point nearby left there, -1 at first.
  double exact_when_near(const Vec3& p, int* hint) const;
  /// Exact, by walking from the place of a point nearby. Requires: between the two points the
  /// nearest place moves smoothly; where it leaves its face, all faces are asked again.
  double follow(const Vec3& p, PartPlace* place) const;

 private:
  double exact(const Vec3& p, const NearestOnMesh& near, PartPlace* place = nullptr) const;

  const Part* part_;
  Tessellation mesh_;
  std::unique_ptr<TriangleTree> tree_;
};

/// A mesh's tree over its welded places.
std::unique_ptr<TriangleTree> tree_of(const Tessellation& mesh);

}  // namespace repose::shape
