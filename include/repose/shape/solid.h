#pragma once

#include <vector>

#include "repose/shape/curve.h"
#include "repose/shape/patch.h"

namespace repose::shape {

/// A patch as part of a closed surface. outward * (Su x Sv) points out of the solid.
struct Face {
  PatchPtr patch;
  double outward = 1.0;  // +1 or -1

  /// Unit, body frame.
  Vec3 normal(double u, double v) const { return outward * patch->normal(u, v); }
};

/// A sharp edge where two faces meet at an angle (smooth seams are no edges).
struct Edge {
  CurvePtr curve;
  int left_face = -1, right_face = -1;  // indices into Part::faces
  bool convex = true;                   // material fills less than half of the space around it
};

/// A corner, or an isolated sharp point such as a cone's apex.
struct Vertex {
  Vec3 point;
  std::vector<int> edges;  // indices into Part::edges; empty for an apex
  std::vector<int> faces;
};

/// One closed surface.
struct Part {
  std::vector<Face> faces;
  std::vector<Edge> edges;
  std::vector<Vertex> vertices;
};

/// A solid bounded by curved patches: the union of its parts, which may overlap inside it
/// (a spout in its pot). Gap, mass and drawing are those of the union.
struct Solid {
  std::vector<Part> parts;
};

}  // namespace repose::shape
