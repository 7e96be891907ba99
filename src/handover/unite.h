#pragma once

#include "model.h"

namespace repose::handover {

/// A solid that is to be one with others.
struct UnionPart {
  shape::TriangleMesh mesh;
  bool convex = false;
};
/// A union of shapes as one mesh, in the frame of its parts.
struct United {
  MeshSpec mesh;
  double grown = 0.0;  // m, most that a point of a part was moved outward so that the parts join
};
/// A body's flat-faced shapes (meshes, hulls, boxes) united; nothing where the body has a curved
/// shape or only one. Convex parts that only touch, as those of decompositions do, are grown by
/// kGrowth of their size first. Refused: parts whose union cannot be made.
std::optional<United> united(const Model& model, const Group& group);
/// The same of parts that are there; nothing where their union cannot be made: `why` says it then.
std::optional<United> united(std::vector<UnionPart> parts, std::string* why);
std::optional<shape::TriangleMesh> hull_triangles(const shape::ConvexInput& input);
/// ", grown by at most 1e-07 m so that they join"; empty where nothing was.
std::string told_growth(double grown);
inline constexpr double kGrowth = 1e-6;

}  // namespace repose::handover
