#include "repose/record/drawing.h"

namespace repose {

namespace {

struct Draw {
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
  }
  void operator()(const shape::PointSet& set) const {
    out.form = DrawingForm::surfels;
    out.points = set.surfels;
    out.normals = set.normals;
    out.radii = set.surfel_radii;
    out.soft_offset = static_cast<int>(set.phyxels.size());
  }
  void operator()(const shape::TriangleMesh& mesh) const {
    out.form = DrawingForm::mesh;
    out.points = mesh.points;
    out.triangles = mesh.triangles;
  }
  void operator()(const shape::ConvexPolyhedron& body) const {
    out.form = DrawingForm::mesh;
    out.points = body.points;
    for (const auto& face : body.faces)
      for (std::size_t i = 2; i < face.size(); ++i)
        out.triangles.push_back({face[0], face[i - 1], face[i]});
  }
  template <class Other>
  void operator()(const Other&) const {
    out.form = DrawingForm::mesh;
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

DrawingShape drawing_of(const shape::Shape& shape) {
  DrawingShape out;
  out.kind = shape.kind;
  out.bounding_radius = shape.bounding_radius;
  out.bounding_center = shape.bounding_center;
  std::visit(Draw{out}, shape.geometry);
  return out;
}

}  // namespace repose
