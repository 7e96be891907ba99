#include <fmt/format.h>

#include "repose/base/work.h"
#include "repose/shape/make.h"
#include "repose/shape/mesh_file.h"

#include "shape/define/shape_build.h"
#include "shape/mass/moments.h"
#include "shape/mesh/convex_hull.h"
#include "shape/mesh/mesh_topology.h"

namespace repose::shape {
namespace {

std::string edge_list(const TriangleMesh& mesh, const std::vector<MeshEdge>& edges) {
  std::string out;
  for (const MeshEdge& edge : edges)
    out += fmt::format("{}{}-{} ({} to {}; {} triangle{})", out.empty() ? "" : ", ", edge.a, edge.b,
                       point_text(mesh.points[edge.a]), point_text(mesh.points[edge.b]), edge.count,
                       edge.count == 1 ? "" : "s");
  return out;
}

InputError not_closed(const TriangleMesh& mesh, const MeshFaults& faults) {
  if (faults.one_sided)
    return fault("/mesh", "", "the mesh is one-sided: its triangles cannot agree on an outside",
                 "a closed two-sided surface, or \"open\": true for fixed surroundings");
  const std::size_t count = faults.open + faults.crowded;
  return fault(
      "/mesh", "",
      fmt::format(
          "the mesh is not closed: {} edge{} with one triangle, {} with more than two: {}{}",
          faults.open, faults.open == 1 ? "" : "s", faults.crowded, edge_list(mesh, faults.first),
          count > faults.first.size() ? ", ..." : ""),
      "every edge between exactly two triangles (`repose repair` mends most), or \"open\": true "
      "for "
      "fixed surroundings");
}

Result<ShapePtr> mesh_from_welded(TriangleMesh mesh, bool open) {
  if (mesh.triangles.empty())
    return fault("/mesh/triangles", "", "no triangle has three different corners",
                 "at least one triangle");
  VolumeProperties volume;
  if (open) {
    volume.area = mesh_area(mesh);
  } else {
    const MeshFaults faults = orient_closed(&mesh);
    if (!faults.first.empty() || faults.one_sided) return not_closed(mesh, faults);
    volume = mesh_properties(mesh);
    if (!(volume.volume > 0.0))
      return fault("/mesh", number_text(volume.volume), "the mesh encloses no volume",
                   "a surface around some material");
  }
  const BoundingBall ball = min_ball(mesh.points);
  if (auto bad = check_length("/mesh", ball.radius)) return *bad;
  return finished(ShapeKind::mesh, std::move(mesh), ball, volume);
}

Fault check_faces(const ConvexInput& in) {
  for (std::size_t f = 0; f < in.faces.size(); ++f) {
    const std::string here = fmt::format("/faces/{}", f);
    if (auto bad = check_count(here, in.faces[f].size(), 3, in.points.size())) return bad;
    for (std::size_t k = 0; k < in.faces[f].size(); ++k)
      if (auto bad = check_index(fmt::format("{}/{}", here, k), in.faces[f][k], in.points.size()))
        return bad;
  }
  return {};
}

/// Newell's normal, right for any plane polygon.
Vec3 face_normal(const ConvexPolyhedron& p, const std::vector<int>& face) {
  Vec3 n = Vec3::Zero();
  const Vec3 a = p.points[face[0]];
  for (std::size_t k = 1; k + 1 < face.size(); ++k)
    n += (p.points[face[k]] - a).cross(p.points[face[k + 1]] - a);
  return n.normalized();
}

/// Faces given by hand may be a little off their planes; fraction of the size.
constexpr double kGivenFlatFraction = 1e-6;
/// Points that are looked at for about one unit of work.
constexpr std::size_t kPointsPerUnit = 32;

Result<ConvexPolyhedron> polyhedron_from_faces(const ConvexInput& in, double size) {
  const WorkStage stage("looking whether its faces bound a convex body");
  ConvexPolyhedron out{in.points, in.faces};
  TriangleMesh mesh = triangles_of(out);
  const MeshFaults faults = orient_closed(&mesh);
  if (!faults.first.empty() || faults.one_sided) {
    InputError error = not_closed(mesh, faults);
    error.pointer = "/faces";
    error.right = "every edge between exactly two faces";
    return error;
  }
  // orient_closed turned whole faces alike: follow it
  std::size_t t = 0;
  for (auto& face : out.faces) {
    const bool turned = mesh.triangles[t][1] != face[1];
    t += face.size() - 2;
    if (turned) std::reverse(face.begin(), face.end());
  }
  for (std::size_t f = 0; f < out.faces.size(); ++f) {
    spend_work(1 + out.points.size() / kPointsPerUnit);
    const Vec3 n = face_normal(out, out.faces[f]), a = out.points[out.faces[f][0]];
    for (std::size_t i = 0; i < out.points.size(); ++i)
      if (n.dot(out.points[i] - a) > kGivenFlatFraction * size)
        return fault(fmt::format("/faces/{}", f), point_text(out.points[i]),
                     fmt::format("point {} lies outside this face", i),
                     "plane faces of a convex body, or points alone for their hull");
  }
  return out;
}

}  // namespace

Result<ShapePtr> make_mesh(const MeshInput& in) {
  for (std::size_t i = 0; i < in.mesh.points.size(); ++i)
    if (!((in.mesh.points[i].array().abs() <= kMaxLength).all()))
      return *check_point(fmt::format("/mesh/points/{}", i), in.mesh.points[i]);
  for (std::size_t t = 0; t < in.mesh.triangles.size(); ++t)
    for (const int corner : in.mesh.triangles[t])
      if (corner < 0 || static_cast<std::size_t>(corner) >= in.mesh.points.size())
        return *check_index(fmt::format("/mesh/triangles/{}", t), corner, in.mesh.points.size());
  return mesh_from_welded(welded(in.mesh), in.open);
}

Result<TriangleMesh> read_scaled_mesh(const MeshFileInput& in) {
  if (auto bad = check_length("/scale", in.scale)) {
    bad->right = fmt::format("a factor in [{}, {}]", kMinLength, kMaxLength);
    return *bad;
  }
  auto mesh = read_mesh_file(in.path);
  if (!mesh) {
    InputError error = mesh.error();
    if (error.pointer.empty()) error.pointer = "/path";
    return error;
  }
  if (in.scale == 1.0) return mesh;
  for (std::size_t i = 0; i < mesh->points.size(); ++i) {
    mesh->points[i] *= in.scale;
    if (auto bad = check_point(fmt::format("/path: scaled vertex {}", i), mesh->points[i]))
      return *bad;
  }
  // points that only rounding parted may have become one
  return weld(*mesh);
}

Result<ShapePtr> make_mesh_file(const MeshFileInput& in) {
  auto mesh = read_scaled_mesh(in);
  if (!mesh) return mesh.error();
  auto made = mesh_from_welded(std::move(*mesh), in.open);
  if (made) return made;
  InputError error = made.error();
  error.file = in.path;
  error.pointer = "/path";
  return error;
}

Result<ShapePtr> make_convex(const ConvexInput& in) {
  constexpr std::size_t kMaxPoints = 1000000;
  if (auto bad = check_count("/points", in.points.size(), 4, kMaxPoints)) return *bad;
  for (std::size_t i = 0; i < in.points.size(); ++i)
    if (auto bad = check_point(fmt::format("/points/{}", i), in.points[i])) return *bad;
  if (auto bad = check_faces(in)) return *bad;
  const BoundingBall ball = min_ball(in.points);
  if (auto bad = check_length("/points", ball.radius)) return *bad;
  ConvexPolyhedron polyhedron;
  if (in.faces.empty()) {
    auto hull = convex_hull(in.points);
    if (!hull)
      return fault("/points", "", "the points lie in one plane", "points that span a volume");
    polyhedron = std::move(*hull);
  } else {
    auto given = polyhedron_from_faces(in, 2.0 * ball.radius);
    if (!given) return given.error();
    polyhedron = std::move(*given);
  }
  const VolumeProperties volume = mesh_properties(triangles_of(polyhedron));
  return finished(ShapeKind::convex, std::move(polyhedron), ball, volume);
}

}  // namespace repose::shape
