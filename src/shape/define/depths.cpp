#include "shape/define/depths.h"

#include <algorithm>
#include <limits>

#include "repose/shape/make.h"
#include "repose/shape/tessellate.h"

namespace repose::shape {

namespace {

/// Of the bounding radius.
constexpr double kChord = 4e-3;

/// Closed meshes of the parts; empty where one of them is not.
std::vector<ShapePtr> part_meshes(const Shape& shape, std::size_t parts) {
  TessellateSettings coarse;
  coarse.chord_fraction = kChord;
  const Tessellation all = tessellate(shape, coarse);
  std::vector<TriangleMesh> meshes(parts);
  std::vector<std::vector<int>> number(
      parts, std::vector<int>(static_cast<std::size_t>(all.welded_count), -1));
  for (const auto& triangle : all.triangles) {
    const auto part = static_cast<std::size_t>(all.part[static_cast<std::size_t>(triangle[0])]);
    std::array<int, 3> corners{};
    for (std::size_t k = 0; k < 3; ++k) {
      const auto vertex = static_cast<std::size_t>(triangle[k]);
      int& known = number[part][static_cast<std::size_t>(all.welded[vertex])];
      if (known < 0) {
        known = static_cast<int>(meshes[part].points.size());
        meshes[part].points.push_back(all.points[vertex]);
      }
      corners[k] = known;
    }
    if (corners[0] != corners[1] && corners[1] != corners[2] && corners[2] != corners[0])
      meshes[part].triangles.push_back(corners);
  }
  std::vector<ShapePtr> out;
  for (const TriangleMesh& mesh : meshes) {
    auto made = make_mesh({mesh, false});
    if (!made) return {};
    out.push_back(std::move(*made));
  }
  return out;
}

}  // namespace

void Depths::add_mesh(const std::vector<Vec3>& points,
                      const std::vector<std::array<int, 3>>& triangles) {
  Part part{std::make_unique<TriangleTree>(points, triangles), nullptr, points[0], points[0]};
  for (const Vec3& p : points) {
    part.low = part.low.cwiseMin(p);
    part.high = part.high.cwiseMax(p);
  }
  parts_.push_back(std::move(part));
}

Depths::Depths(const Shape& shape) {
  if (const auto* solid = std::get_if<Solid>(&shape.geometry); solid && solid->parts.size() > 1)
    for (const ShapePtr& mesh : part_meshes(shape, solid->parts.size())) {
      const auto& made = std::get<TriangleMesh>(mesh->geometry);
      add_mesh(made.points, made.triangles);
    }
  const auto* mesh = std::get_if<TriangleMesh>(&shape.geometry);
  if (mesh != nullptr && shape.volume.volume > 0.0) add_mesh(mesh->points, mesh->triangles);
  const Vec3 endless = Vec3::Constant(std::numeric_limits<double>::infinity());
  if (parts_.empty())
    parts_.push_back({nullptr, std::make_unique<InsideTest>(shape), -endless, endless});
}

Depths::Look Depths::Part::look(const Vec3& point) const {
  if (!tree) return {test->signed_gap(point), Vec3::Zero()};
  const NearestOnMesh near = tree->nearest(point);
  const Vec3 away = point - near.point;
  if (!(near.distance > 0.0)) return {0.0, Vec3::Zero()};
  const double side = near.inside ? -1.0 : 1.0;
  return {side * near.distance, side / near.distance * away};
}

Depths::Look Depths::look(const Vec3& point) const {
  Look out{std::numeric_limits<double>::infinity(), Vec3::Zero()};
  for (const Part& part : parts_) {
    // nothing of a part is nearer than its box
    const Vec3 nearest = point.cwiseMax(part.low).cwiseMin(part.high);
    if (!((point - nearest).norm() < out.gap || nearest == point)) continue;
    const Look one = part.look(point);
    if (one.gap < out.gap) out = one;
  }
  return out;
}

}  // namespace repose::shape
