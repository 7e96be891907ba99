#pragma once

#include <cmath>
#include <numbers>

#include "repose/shape/patches.h"

#include "check/items.h"

namespace repose::check {

/// A solid of one part from its patches, all with outward normals; bounding ball about the origin.
inline shape::ShapePtr solid(const std::vector<shape::PatchPtr>& patches, double radius,
                             shape::ShapeKind kind) {
  auto s = std::make_shared<shape::Shape>();
  s->kind = kind;
  shape::Part part;
  for (const auto& p : patches) part.faces.push_back({p, 1.0});
  s->geometry = shape::Solid{{part}};
  s->bounding_radius = radius;
  s->volume.volume = 1.0;
  return s;
}

inline shape::ShapePtr ellipsoid(const Vec3& radii) {
  return solid(*shape::ellipsoid_patches(radii), radii.maxCoeff(), shape::ShapeKind::ellipsoid);
}
inline shape::ShapePtr torus(double ring, double tube) {
  return solid({*shape::torus_patch(ring, tube)}, ring + tube, shape::ShapeKind::torus);
}
inline shape::ShapePtr superellipsoid(const Vec3& radii, double n, double e) {
  return solid(*shape::superellipsoid_patches({radii, n, e}), radii.norm(),
               shape::ShapeKind::superellipsoid);
}
/// Apex up at the origin, the base of radius h tan(half angle) at z = -h.
inline shape::ShapePtr cone(double half_angle, double height) {
  const double r = height * std::tan(half_angle);
  const auto base =
      shape::placed(*shape::disc_patch(r),
                    {Vec3(0, 0, -height), rotation_from_vector(Vec3(std::numbers::pi, 0, 0))});
  return solid({*shape::cone_side(r, 0.0, -height, 0.0), base}, std::hypot(r, height),
               shape::ShapeKind::cone);
}
inline shape::ShapePtr cylinder(double radius, double height) {
  const double h = 0.5 * height;
  const auto top = shape::placed(*shape::disc_patch(radius), {Vec3(0, 0, h), Quat::Identity()});
  const auto low =
      shape::placed(*shape::disc_patch(radius),
                    {Vec3(0, 0, -h), rotation_from_vector(Vec3(std::numbers::pi, 0, 0))});
  return solid({*shape::cylinder_side(radius, -h, h), top, low}, std::hypot(radius, h),
               shape::ShapeKind::cylinder);
}

inline shape::ShapePtr mesh(std::vector<Vec3> points, std::vector<std::array<int, 3>> triangles) {
  auto s = std::make_shared<shape::Shape>();
  s->kind = shape::ShapeKind::mesh;
  for (const Vec3& p : points) s->bounding_radius = std::max(s->bounding_radius, p.norm());
  s->geometry = shape::TriangleMesh{std::move(points), std::move(triangles)};
  s->volume.volume = 1.0;
  return s;
}
inline shape::ShapePtr box_mesh(const Vec3& size) {
  std::vector<Vec3> p;
  for (int i = 0; i < 8; ++i)
    p.push_back(0.5 * Vec3(i & 1 ? size.x() : -size.x(), i & 2 ? size.y() : -size.y(),
                           i & 4 ? size.z() : -size.z()));
  return mesh(p, {{0, 2, 3},
                  {0, 3, 1},
                  {4, 5, 7},
                  {4, 7, 6},
                  {0, 1, 5},
                  {0, 5, 4},
                  {2, 6, 7},
                  {2, 7, 3},
                  {0, 4, 6},
                  {0, 6, 2},
                  {1, 3, 7},
                  {1, 7, 5}});
}
/// A ball-like mesh of 2 rings (rows - 1) triangles.
inline shape::ShapePtr round_mesh(int rings, int rows, double radius, double bump = 0.0) {
  std::vector<Vec3> p{Vec3(0, 0, -radius)};
  std::vector<std::array<int, 3>> t;
  for (int j = 1; j < rows; ++j) {
    const double polar = std::numbers::pi * j / rows;
    for (int i = 0; i < rings; ++i) {
      const double turn = 2.0 * std::numbers::pi * i / rings;
      const double r = radius * (1.0 + bump * std::sin(5.0 * turn) * std::sin(4.0 * polar));
      p.push_back(r * Vec3(std::sin(polar) * std::cos(turn), std::sin(polar) * std::sin(turn),
                           -std::cos(polar)));
    }
  }
  p.push_back(Vec3(0, 0, radius));
  const int last = static_cast<int>(p.size()) - 1;
  const auto at_ring = [&](int j, int i) { return 1 + (j - 1) * rings + i % rings; };
  for (int i = 0; i < rings; ++i) {
    t.push_back({0, at_ring(1, i + 1), at_ring(1, i)});
    t.push_back({last, at_ring(rows - 1, i), at_ring(rows - 1, i + 1)});
    for (int j = 1; j + 1 < rows; ++j) {
      t.push_back({at_ring(j, i), at_ring(j, i + 1), at_ring(j + 1, i)});
      t.push_back({at_ring(j + 1, i), at_ring(j, i + 1), at_ring(j + 1, i + 1)});
    }
  }
  return mesh(p, t);
}

}  // namespace repose::check
