#include "repose/shape/shape.h"

#include "repose/shape/make.h"
#include "repose/shape/patches.h"

#include "shape/sew/sew.h"

namespace repose::shape {
namespace {

/// Six charts, sewn.
Solid ball_patches(double radius) {
  auto patches = sphere_patches(radius);
  REPOSE_CHECK(static_cast<bool>(patches), "a valid ball has patches");
  auto solid = sew(*patches, 2.0 * radius, {}, "", true);
  REPOSE_CHECK(static_cast<bool>(solid), "a ball's patches close");
  return std::move(*solid);
}

/// The corners of each face in order, for faces with straight sides.
std::vector<Vec3> corners_of(const Face& face) {
  const UvBox d = face.patch->domain();
  std::vector<Vec3> out{face.patch->point(d.u0, d.v0), face.patch->point(d.u1, d.v0),
                        face.patch->point(d.u1, d.v1), face.patch->point(d.u0, d.v1)};
  if (face.outward < 0.0) std::swap(out[1], out[3]);
  return out;
}

ConvexPolyhedron box_polyhedron(const Solid& solid) {
  ConvexPolyhedron out;
  for (const Face& face : solid.parts[0].faces) {
    out.faces.emplace_back();
    for (const Vec3& corner : corners_of(face)) {
      int found = -1;
      for (std::size_t i = 0; i < out.points.size(); ++i)
        if (out.points[i] == corner) found = static_cast<int>(i);
      if (found < 0) {
        found = static_cast<int>(out.points.size());
        out.points.push_back(corner);
      }
      out.faces.back().push_back(found);
    }
  }
  return out;
}

}  // namespace

std::shared_ptr<const Solid> patches_of(const ShapePtr& shape) {
  if (const auto* solid = std::get_if<Solid>(&shape->geometry))
    return std::shared_ptr<const Solid>(shape, solid);
  if (const auto* ball = std::get_if<Ball>(&shape->geometry))
    return std::make_shared<const Solid>(ball_patches(ball->radius));
  return nullptr;
}

std::shared_ptr<const ConvexPolyhedron> convex_of(const ShapePtr& shape) {
  if (const auto* polyhedron = std::get_if<ConvexPolyhedron>(&shape->geometry))
    return std::shared_ptr<const ConvexPolyhedron>(shape, polyhedron);
  const auto* solid = std::get_if<Solid>(&shape->geometry);
  if (solid == nullptr || shape->kind != ShapeKind::box) return nullptr;
  return std::make_shared<const ConvexPolyhedron>(box_polyhedron(*solid));
}

}  // namespace repose::shape
