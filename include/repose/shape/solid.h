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

/// The four sides of a patch's parameter rectangle.
enum class Side { u_low, u_high, v_low, v_high };

/// A stretch of one side of a face. The side's parameter (v on u sides, u on v sides) runs from t0
/// to t1 as the seam runs from its begin to its end; t1 < t0 where it runs backwards.
struct SideStretch {
  int face = -1;
  Side side = Side::u_low;
  double t0 = 0.0, t1 = 0.0;

  /// (u, v) on the patch at side parameter t.
  Vec2 uv(const UvBox& domain, double t) const {
    switch (side) {
      case Side::u_low:
        return {domain.u0, t};
      case Side::u_high:
        return {domain.u1, t};
      case Side::v_low:
        return {t, domain.v0};
      case Side::v_high:
        break;
    }
    return {t, domain.v1};
  }
};

/// Where two faces (or a face and itself) are sewn together, smoothly or along a sharp edge.
/// Every side of every face, but for those shrunk to a point, is covered once by seams.
struct Seam {
  SideStretch left, right;
  bool sharp = false;
};

/// One closed surface.
struct Part {
  std::vector<Face> faces;
  std::vector<Edge> edges;
  std::vector<Vertex> vertices;
  std::vector<Seam> seams;
  double seam_gap = 0.0;  // m: no seam is open wider, nor a side that counts as a point
};

/// A solid bounded by curved patches: the union of its parts, which may overlap inside it
/// (a spout in its pot). Gap, mass and drawing are those of the union.
struct Solid {
  std::vector<Part> parts;
};

}  // namespace repose::shape
