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

Depths::Depths(const Shape& shape) {
  if (const auto* solid = std::get_if<Solid>(&shape.geometry); solid && solid->parts.size() > 1)
    meshes_ = part_meshes(shape, solid->parts.size());
  for (const ShapePtr& mesh : meshes_) {
    const std::vector<Vec3>& points = std::get<TriangleMesh>(mesh->geometry).points;
    Part part{InsideTest(*mesh), points[0], points[0]};
    for (const Vec3& p : points) {
      part.low = part.low.cwiseMin(p);
      part.high = part.high.cwiseMax(p);
    }
    parts_.push_back(std::move(part));
  }
  const Vec3 endless = Vec3::Constant(std::numeric_limits<double>::infinity());
  if (parts_.empty()) parts_.push_back({InsideTest(shape), -endless, endless});
}

double Depths::signed_gap(const Vec3& point) const {
  double out = std::numeric_limits<double>::infinity();
  for (const Part& part : parts_) {
    // nothing of a part is nearer than its box
    const Vec3 nearest = point.cwiseMax(part.low).cwiseMin(part.high);
    if ((point - nearest).norm() < out || nearest == point)
      out = std::min(out, part.test.signed_gap(point));
  }
  return out;
}

}  // namespace repose::shape
