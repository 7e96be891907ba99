#include "unite.h"

#include <algorithm>

#include <fmt/format.h>

#include "repose/shape/make.h"
#include "repose/shape/repair.h"

namespace repose::handover {

std::optional<shape::TriangleMesh> hull_triangles(const shape::ConvexInput& input) {
  const auto made = shape::make_convex(input);
  const auto* hull = made ? std::get_if<shape::ConvexPolyhedron>(&(*made)->geometry) : nullptr;
  if (hull == nullptr) return std::nullopt;
  shape::TriangleMesh out;
  out.points = hull->points;
  for (const auto& face : hull->faces)
    for (std::size_t k = 2; k < face.size(); ++k)
      out.triangles.push_back({face[0], face[k - 1], face[k]});
  return out;
}

namespace {

std::optional<shape::TriangleMesh> triangles_of(const ShapeSpec& spec) {
  if (const auto* mesh = std::get_if<MeshSpec>(&spec.what)) {
    if (mesh->open) return std::nullopt;
    return shape::TriangleMesh{mesh->points, mesh->triangles};
  }
  if (const auto* hull = std::get_if<shape::ConvexInput>(&spec.what)) return hull_triangles(*hull);
  if (const auto* box = std::get_if<shape::BoxInput>(&spec.what)) {
    shape::ConvexInput corners;
    for (int k = 0; k < 8; ++k)
      corners.points.push_back(
          box->size.cwiseProduct(Vec3((k & 1) - 0.5, ((k >> 1) & 1) - 0.5, ((k >> 2) & 1) - 0.5)));
    return hull_triangles(corners);
  }
  return std::nullopt;
}

std::optional<std::vector<UnionPart>> parts_of(const Model& model, const Group& group) {
  std::vector<UnionPart> out;
  bool meshes = false;
  for (const Piece& piece : group.pieces) {
    const ShapeSpec* named = model.find_shape(piece.shape.name);
    meshes = meshes || named != nullptr;
    const ShapeSpec& spec = named != nullptr ? *named : *piece.shape.spec;
    auto mesh = triangles_of(spec);
    if (!mesh) return std::nullopt;
    for (Vec3& p : mesh->points) p = piece.group_from_piece * p;
    out.push_back({std::move(*mesh), !std::holds_alternative<MeshSpec>(spec.what)});
  }
  // boxes alone are a union of exact faces already
  if (!meshes || out.size() < 2) return std::nullopt;
  return out;
}

shape::MeshRepair joined(const std::vector<UnionPart>& parts) {
  shape::TriangleMesh all;
  for (const UnionPart& part : parts) {
    const int first = static_cast<int>(all.points.size());
    all.points.insert(all.points.end(), part.mesh.points.begin(), part.mesh.points.end());
    for (const auto& t : part.mesh.triangles)
      all.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  }
  return shape::repair_mesh(all);
}

/// Scales a part about its middle; answers how far its points went at most.
double grow(UnionPart& part) {
  Vec3 middle = Vec3::Zero();
  for (const Vec3& p : part.mesh.points) middle += p / static_cast<double>(part.mesh.points.size());
  double most = 0.0;
  for (Vec3& p : part.mesh.points) {
    const Vec3 step = kGrowth * (p - middle);
    most = std::max(most, step.norm());
    p += step;
  }
  return most;
}

}  // namespace

std::string told_growth(double grown) {
  return grown > 0.0 ? fmt::format(", grown by at most {:.2g} m so that they join", grown) : "";
}

std::optional<United> united(std::vector<UnionPart> parts, std::string* why) {
  United out;
  auto mended = joined(parts);
  const bool convex =
      std::all_of(parts.begin(), parts.end(), [](const UnionPart& part) { return part.convex; });
  if (!mended.sound() && convex) {
    for (UnionPart& part : parts) out.grown = std::max(out.grown, grow(part));
    mended = joined(parts);
  }
  if (!mended.sound()) {
    if (!mended.refused.empty()) *why = mended.refused.front();
    return std::nullopt;
  }
  out.mesh = {std::move(mended.mesh.points), std::move(mended.mesh.triangles), false};
  return out;
}

std::optional<United> united(const Model& model, const Group& group) {
  auto parts = parts_of(model, group);
  if (!parts) return std::nullopt;
  std::string why;
  auto out = united(std::move(*parts), &why);
  if (!out)
    refuse(group.at,
           fmt::format("the union of the {} shapes of {} cannot be made{}", group.pieces.size(),
                       group.name, why.empty() ? "" : ": " + why),
           "shapes that overlap clearly or not at all, one mesh, or convex ones (--hulls)");
  return out;
}

}  // namespace repose::handover
