#pragma once

#include "model.h"

namespace repose::handover {

/// A union of shapes as one mesh, group frame.
struct United {
  MeshSpec mesh;
  double grown = 0.0;  // m, most that a point of a part was moved outward so that the parts join
};
/// A body's flat-faced shapes (meshes, hulls, boxes) united; nothing where the body has a curved
/// shape or only one. Convex parts that only touch, as those of decompositions do, are grown by
/// kGrowth of their size first. Refused: parts whose union cannot be made.
std::optional<United> united(const Model& model, const Group& group);
inline constexpr double kGrowth = 1e-6;

}  // namespace repose::handover
