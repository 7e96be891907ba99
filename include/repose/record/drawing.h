#pragma once

#include <array>
#include <string>
#include <vector>

#include "repose/base/check.h"
#include "repose/shape/shape.h"
#include "repose/shape/surfel_surface.h"

namespace repose {

/// What a shape looks like, in its body frame: enough to draw it, too little to simulate it.
enum class DrawingForm {
  ball,        // of `radius` about the origin
  half_space,  // everything below z = 0; drawn as a large plate
  mesh,        // points, triangles and, where the surface is smooth, normals
  spheres,     // points are centres, with radii; soft bodies move them one by one
  surfels      // points are the balls beneath surfels, with normals and radii, over phyxels
};
const char* to_text(DrawingForm form);

struct DrawingShape {
  std::string kind;  // the scene's word: "torus", "mesh", "ball", ...
  DrawingForm form = DrawingForm::mesh;
  double radius = 0.0;                        // m, ball
  std::vector<Vec3> points;                   // m
  std::vector<Vec3> normals;                  // unit, one per point; empty: draw flat triangles
  std::vector<double> radii;                  // m, spheres and surfels
  std::vector<Vec3> phyxels;                  // m, surfels: mass points at rest
  std::vector<std::array<int, 3>> triangles;  // counter-clockwise seen from outside
  std::vector<std::array<int, 2>> links;      // spheres: which of them hold each other
  int soft_offset = 0;           // soft bodies: index in SoftState of this drawing's point 0
  double bounding_radius = 0.0;  // m; infinite for a half space
  Vec3 bounding_center = Vec3::Zero();
};

/// Points of a SoftState that a page asks for: the drawing's own, of surfels the phyxels before
/// them too.
struct SoftSpan {
  std::size_t first = 0, count = 0;
};
SoftSpan shown_span(const DrawingShape& drawing);

/// Surfels at rest, to draw a surface from. Requires: form surfels.
shape::SurfelRest surfel_rest(const DrawingShape& drawing);

/// The drawing of a shape. Curved surfaces are tessellated to a chord error of
/// kDrawingChordError of the shape's bounding radius.
DrawingShape drawing_of(const shape::Shape& shape);

/// Fraction of the bounding radius by which a drawn facet may leave the true surface. Larger:
/// smaller recordings, visible facets.
inline constexpr double kDrawingChordError = 7e-4;

}  // namespace repose
