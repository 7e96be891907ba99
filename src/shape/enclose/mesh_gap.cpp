#include "repose/shape/mesh_gap.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "repose/shape/tessellate.h"

#include "shape/enclose/triangle_tree.h"

namespace repose::shape {

struct MeshGap::Data {
  std::variant<std::monostate, Ball, HalfSpace> plain;  // those that have a formula
  std::vector<TriangleTree> parts;
  double chord_error = 0.0;  // m
  bool closed = true;
};

MeshGap::MeshGap(const Shape& shape, double chord_fraction) {
  auto data = std::make_unique<Data>();
  data->closed = shape.volume.volume > 0.0;
  if (const auto* ball = std::get_if<Ball>(&shape.geometry)) {
    data->plain = *ball;
  } else if (std::holds_alternative<HalfSpace>(shape.geometry)) {
    data->plain = HalfSpace{};
  } else {
    TessellateSettings settings;
    settings.chord_fraction = chord_fraction;
    const Tessellation mesh = tessellate(shape, settings);
    data->chord_error = mesh.chord_error;
    std::vector<Vec3> points(static_cast<std::size_t>(mesh.welded_count), Vec3::Zero());
    std::vector<std::vector<std::array<int, 3>>> triangles;
    for (std::size_t i = 0; i < mesh.points.size(); ++i)
      points[static_cast<std::size_t>(mesh.welded[i])] = mesh.points[i];
    for (const auto& t : mesh.triangles) {
      const auto part = static_cast<std::size_t>(mesh.part[static_cast<std::size_t>(t[0])]);
      if (triangles.size() <= part) triangles.resize(part + 1);
      std::array<int, 3> place{};
      for (std::size_t k = 0; k < 3; ++k) place[k] = mesh.welded[static_cast<std::size_t>(t[k])];
      triangles[part].push_back(place);
    }
    for (auto& part : triangles)
      if (!part.empty()) data->parts.emplace_back(points, std::move(part));
  }
  data_ = std::move(data);
}

MeshGap::~MeshGap() = default;
MeshGap::MeshGap(MeshGap&&) noexcept = default;
MeshGap& MeshGap::operator=(MeshGap&&) noexcept = default;

double MeshGap::mesh_gap(const Vec3& point) const {
  if (const auto* ball = std::get_if<Ball>(&data_->plain)) return point.norm() - ball->radius;
  if (std::holds_alternative<HalfSpace>(data_->plain)) return point.z();
  double least = std::numeric_limits<double>::infinity();
  for (const TriangleTree& part : data_->parts) {
    const NearestOnMesh near = part.nearest(point);
    least = std::min(least, data_->closed && near.inside ? -near.distance : near.distance);
  }
  return least;
}

double MeshGap::at_least(const Vec3& point) const {
  return mesh_gap(point) - data_->chord_error;
}

double MeshGap::at_most(const Vec3& point) const {
  return mesh_gap(point) + data_->chord_error;
}

}  // namespace repose::shape
