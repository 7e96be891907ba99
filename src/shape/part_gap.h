#pragma once

#include <memory>

#include "repose/shape/tessellate.h"

#include "triangle_tree.h"

namespace repose::shape {

/// Signed distance to one closed part: a mesh says which side and where about, Newton on the
/// patches how far exactly.
class PartGap {
 public:
  explicit PartGap(const Part& part, double chord);

  /// Metres, negative inside.
  double operator()(const Vec3& p) const;

 private:
  const Part* part_;
  Tessellation mesh_;
  std::unique_ptr<TriangleTree> tree_;
};

/// A mesh's tree over its welded places.
std::unique_ptr<TriangleTree> tree_of(const Tessellation& mesh);

}  // namespace repose::shape
