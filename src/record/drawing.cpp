#include "repose/record/drawing.h"

#include "repose/shape/cover.h"
#include "repose/shape/tessellate.h"

namespace repose {

namespace {

struct Draw {
  const shape::Shape& shape;
  DrawingShape& out;

  void operator()(const shape::Ball& ball) const {
    out.form = DrawingForm::ball;
    out.radius = ball.radius;
  }
  void operator()(const shape::HalfSpace&) const { out.form = DrawingForm::half_space; }
  void operator()(const shape::SphereSet& set) const {
    out.form = DrawingForm::spheres;
    out.points = set.centers;
    out.radii = set.radii;
    out.links = set.links;
  }
  void operator()(const shape::PointSet& set) const {
    // what is kept apart and judged is what is shown
    shape::Cover cover = shape::cover_of(set);
    out.form = DrawingForm::surfels;
    out.normals = set.normals;
    out.phyxels = set.phyxels;
    out.points = std::move(cover.centers);
    out.radii = std::move(cover.radii);
    out.soft_offset = static_cast<int>(set.phyxels.size());
  }
  template <class Surface>
  void operator()(const Surface&) const {
    shape::TessellateSettings settings;
    settings.chord_fraction = kDrawingChordError;
    shape::Tessellation surface = shape::tessellate(shape, settings);
    out.form = DrawingForm::mesh;
    out.points = std::move(surface.points);
    out.normals = std::move(surface.normals);
    out.triangles = std::move(surface.triangles);
  }
};

}  // namespace

const char* to_text(DrawingForm form) {
  switch (form) {
    case DrawingForm::ball:
      return "ball";
    case DrawingForm::half_space:
      return "half_space";
    case DrawingForm::mesh:
      return "mesh";
    case DrawingForm::spheres:
      return "spheres";
    case DrawingForm::surfels:
      return "surfels";
  }
  REPOSE_CHECK(false, "unknown form");
}

SoftSpan shown_span(const DrawingShape& drawing) {
  const auto first = static_cast<std::size_t>(drawing.soft_offset);
  if (drawing.form == DrawingForm::surfels) return {0, first + drawing.points.size()};
  return {first, drawing.points.size()};
}

shape::SurfelRest surfel_rest(const DrawingShape& drawing) {
  return {drawing.points, drawing.normals, drawing.radii, drawing.phyxels};
}

DrawingShape drawing_of(const shape::Shape& shape) {
  DrawingShape out;
  out.kind = name_of(shape.kind);
  out.bounding_radius = shape.bounding_radius;
  out.bounding_center = shape.bounding_center;
  std::visit(Draw{shape, out}, shape.geometry);
  return out;
}

}  // namespace repose
