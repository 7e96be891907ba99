#include "check/gap/convex_mesh.h"

#include <algorithm>
#include <map>

#include "repose/base/disjoint_sets.h"
#include "repose/math/exact.h"

namespace repose::check {

namespace {

constexpr std::size_t kMostTriangles = 400;

using Triangle = std::array<int, 3>;
using Edge = std::array<int, 2>;
/// The triangle to the left of each directed edge.
using Edges = std::map<Edge, int>;

const Vec3& point(const shape::TriangleMesh& mesh, int i) {
  return mesh.points[static_cast<std::size_t>(i)];
}

Edge side(const Triangle& t, std::size_t k) {
  return {t[k], t[(k + 1) % 3]};
}

/// Empty where an edge is met twice the same way or has no other side.
Edges edges_of(const shape::TriangleMesh& mesh) {
  Edges out;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k)
      if (!out.emplace(side(mesh.triangles[i], k), static_cast<int>(i)).second) return {};
  for (const auto& [edge, triangle] : out)
    if (out.count({edge[1], edge[0]}) == 0) return {};
  return out;
}

/// All points on or behind the triangle's plane, and not all of them on it.
bool bounds(const shape::TriangleMesh& mesh, const Triangle& t) {
  bool behind = false;
  for (const Vec3& p : mesh.points) {
    const int s = orient3d(point(mesh, t[0]), point(mesh, t[1]), point(mesh, t[2]), p);
    if (s > 0) return false;
    behind = behind || s < 0;
  }
  return behind;
}

/// The corners around triangles of one plane, in order; empty where they are not one loop.
std::vector<int> outline(const shape::TriangleMesh& mesh, const std::vector<int>& face,
                         const Edges& edges) {
  std::map<int, int> next;
  for (const int i : face)
    for (std::size_t k = 0; k < 3; ++k) {
      const Edge e = side(mesh.triangles[static_cast<std::size_t>(i)], k);
      const int beyond = edges.at({e[1], e[0]});
      if (std::find(face.begin(), face.end(), beyond) == face.end()) next[e[0]] = e[1];
    }
  std::vector<int> out;
  if (next.empty()) return out;
  int at = next.begin()->first;
  for (std::size_t k = 0; k < next.size(); ++k) {
    out.push_back(at);
    const auto found = next.find(at);
    if (found == next.end()) return {};
    at = found->second;
  }
  return at == out.front() ? out : std::vector<int>{};
}

/// Triangles joined to their neighbours in the same plane.
std::vector<std::vector<int>> faces_of(const shape::TriangleMesh& mesh, const Edges& edges) {
  const auto count = static_cast<int>(mesh.triangles.size());
  DisjointSets joined(count);
  for (const auto& [edge, i] : edges) {
    const Triangle& t = mesh.triangles[static_cast<std::size_t>(i)];
    const int beyond = edges.at({edge[1], edge[0]});
    const Triangle& other = mesh.triangles[static_cast<std::size_t>(beyond)];
    const bool flat = std::all_of(other.begin(), other.end(), [&](int c) {
      return orient3d(point(mesh, t[0]), point(mesh, t[1]), point(mesh, t[2]), point(mesh, c)) == 0;
    });
    if (flat) joined.join(i, beyond);
  }
  std::map<int, std::vector<int>> groups;
  for (int i = 0; i < count; ++i) groups[joined.name_of(i)].push_back(i);
  std::vector<std::vector<int>> out;
  for (auto& [first, group] : groups) out.push_back(std::move(group));
  return out;
}

bool in_one_piece(const shape::TriangleMesh& mesh) {
  DisjointSets pieces(static_cast<int>(mesh.points.size()));
  for (const auto& [a, b, c] : mesh.triangles) {
    pieces.join(a, b);
    pieces.join(b, c);
  }
  return pieces.names().size() == 1;
}

}  // namespace

std::optional<shape::ConvexPolyhedron> convex_mesh(const shape::TriangleMesh& mesh) {
  if (mesh.triangles.empty() || mesh.triangles.size() > kMostTriangles) return std::nullopt;
  const Edges edges = edges_of(mesh);
  if (edges.empty() || !in_one_piece(mesh)) return std::nullopt;
  for (const Triangle& t : mesh.triangles)
    if (!bounds(mesh, t)) return std::nullopt;
  shape::ConvexPolyhedron out;
  out.points = mesh.points;
  for (const auto& face : faces_of(mesh, edges)) {
    out.faces.push_back(outline(mesh, face, edges));
    if (out.faces.back().empty()) return std::nullopt;
  }
  return out;
}

}  // namespace repose::check
