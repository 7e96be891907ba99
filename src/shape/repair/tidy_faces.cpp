#include "shape/repair/tidy_faces.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "repose/base/disjoint_sets.h"
#include "repose/math/exact.h"

#include "shape/mesh/mesh_topology.h"

namespace repose::shape {
namespace {

using Corners = std::array<int, 3>;
using Lots = std::vector<std::vector<int>>;

Corners sorted(Corners c) {
  std::sort(c.begin(), c.end());
  return c;
}

/// Triangles by their corners, those of one lot in increasing order.
std::map<Corners, std::vector<int>> by_corners(const TriangleMesh& mesh) {
  std::map<Corners, std::vector<int>> out;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    out[sorted(mesh.triangles[t])].push_back(static_cast<int>(t));
  return out;
}

/// How many faces of different corners an edge has.
using Faces = std::map<std::pair<int, int>, int>;

/// Leaves out the triangles that are marked, and the points that nothing uses then.
void drop(const std::vector<char>& gone, TriangleMesh* mesh, ChangeNote* note) {
  std::vector<Corners> kept;
  for (std::size_t t = 0; t < gone.size(); ++t) {
    if (!gone[t]) {
      kept.push_back(mesh->triangles[t]);
      continue;
    }
    note->add(*mesh, mesh->triangles[t]);
    note->count();
  }
  mesh->triangles = std::move(kept);
  *mesh = welded(*mesh);
}

/// Both sides of a wall: as many one way as the other, and with all of them gone every side of it
/// lies between two others.
bool is_wall(const TriangleMesh& mesh, const std::vector<int>& lot, const Faces& faces) {
  const Corners first = mesh.triangles[lot[0]];
  int net = 0;
  for (const int t : lot) {
    const Corners& c = mesh.triangles[t];
    const auto k = static_cast<std::size_t>(std::find(c.begin(), c.end(), first[0]) - c.begin());
    net += c[(k + 1) % 3] == first[1] ? 1 : -1;
  }
  if (net != 0) return false;
  // itself and two others
  constexpr int kFaces = 3;
  for (std::size_t k = 0; k < 3; ++k)
    if (faces.at(std::minmax(first[k], first[(k + 1) % 3])) < kFaces) return false;
  return true;
}

/// Triangles that hang together along edges of which `joins` says so.
template <class Joins>
Lots lots_of(const TriangleMesh& mesh, const std::vector<MeshEdge>& edges, const Joins& joins) {
  DisjointSets sets(static_cast<int>(mesh.triangles.size()));
  for (const MeshEdge& e : edges)
    if (e.count >= 2 && joins(e)) sets.join(e.triangles[0], e.triangles[1]);
  std::map<int, std::vector<int>> by_name;
  for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t)
    by_name[sets.name_of(t)].push_back(t);
  Lots out;
  for (auto& [name, lot] : by_name) out.push_back(std::move(lot));
  return out;
}

/// The mesh without a lot, closed and turned outward; its volume times 6, or 0 where it has faults.
double volume_without(const TriangleMesh& mesh, const std::vector<int>& lot) {
  std::vector<char> gone(mesh.triangles.size(), 0);
  for (const int t : lot) gone[t] = 1;
  TriangleMesh rest{mesh.points, {}};
  for (std::size_t t = 0; t < gone.size(); ++t)
    if (!gone[t]) rest.triangles.push_back(mesh.triangles[t]);
  if (rest.triangles.empty()) return 0.0;
  const MeshFaults faults = orient_closed(&rest);
  if (!faults.first.empty() || faults.one_sided) return 0.0;
  const Vec3 origin = rest.points[rest.triangles[0][0]];
  double sum = 0.0;
  for (const Corners& c : rest.triangles)
    sum += (rest.points[c[0]] - origin)
               .dot((rest.points[c[1]] - origin).cross(rest.points[c[2]] - origin));
  return sum;
}

/// A sheet that ends at crowded edges: it uses each of them once.
bool ends_at_crowded(const TriangleMesh& mesh, const std::vector<int>& lot) {
  std::map<std::pair<int, int>, int> uses;
  for (const int t : lot)
    for (std::size_t k = 0; k < 3; ++k)
      ++uses[std::minmax(mesh.triangles[t][k], mesh.triangles[t][(k + 1) % 3])];
  return std::any_of(uses.begin(), uses.end(), [](const auto& use) { return use.second == 1; });
}

/// Of walls all in turn: the lot whose loss leaves most volume; empty where none closes the rest.
std::vector<int> best_wall(const TriangleMesh& mesh, const Lots& lots) {
  std::vector<int> best;
  double most = 0.0;
  for (const auto& lot : lots) {
    if (!ends_at_crowded(mesh, lot)) continue;
    const double volume = volume_without(mesh, lot);
    if (volume <= most) continue;
    most = volume;
    best = lot;
  }
  return best;
}

/// All of the lot's corners lie in one plane, exactly.
bool is_flat(const TriangleMesh& mesh, const std::vector<int>& lot) {
  const Corners& c = mesh.triangles[lot[0]];
  for (const int t : lot)
    for (const int corner : mesh.triangles[t])
      if (orient3d(mesh.points[c[0]], mesh.points[c[1]], mesh.points[c[2]], mesh.points[corner]) !=
          0)
        return false;
  return true;
}

}  // namespace

std::size_t count_repeated_faces(const TriangleMesh& mesh, std::vector<Vec3>* places) {
  std::size_t out = 0;
  for (const auto& [corners, lot] : by_corners(mesh)) {
    if (lot.size() < 2) continue;
    out += lot.size() - 1;
    places->push_back(
        (mesh.points[corners[0]] + mesh.points[corners[1]] + mesh.points[corners[2]]) / 3.0);
  }
  return out;
}

MeshChange drop_repeated_faces(TriangleMesh* mesh) {
  ChangeNote note("repeated faces dropped");
  Faces faces;
  for (const auto& [corners, lot] : by_corners(*mesh))
    for (std::size_t k = 0; k < 3; ++k) ++faces[std::minmax(corners[k], corners[(k + 1) % 3])];
  std::vector<char> gone(mesh->triangles.size(), 0);
  bool any = false;
  for (const auto& [corners, lot] : by_corners(*mesh)) {
    if (lot.size() < 2) continue;
    any = true;
    for (std::size_t i = is_wall(*mesh, lot, faces) ? 0 : 1; i < lot.size(); ++i) gone[lot[i]] = 1;
  }
  if (any) drop(gone, mesh, &note);
  return note.change();
}

bool has_area(const TriangleMesh& mesh, const Corners& c) {
  const auto flat = [&](int corner, int axis) {
    const Vec3& p = mesh.points[corner];
    return Vec2(p[(axis + 1) % 3], p[(axis + 2) % 3]);
  };
  for (int axis = 0; axis < 3; ++axis)
    if (orient2d(flat(c[0], axis), flat(c[1], axis), flat(c[2], axis)) != 0) return true;
  return false;
}

MeshChange drop_faces_without_area(TriangleMesh* mesh) {
  ChangeNote note("faces without area dropped");
  std::vector<char> gone(mesh->triangles.size(), 0);
  bool any = false;
  for (std::size_t t = 0; t < gone.size(); ++t)
    if (!has_area(*mesh, mesh->triangles[t])) {
      gone[t] = 1;
      any = true;
    }
  if (any) drop(gone, mesh, &note);
  return note.change();
}

MeshChange drop_inner_walls(TriangleMesh* mesh) {
  ChangeNote note("walls within dropped");
  constexpr int kMostWalls = 64;
  for (int k = 0; k < kMostWalls; ++k) {
    const std::vector<MeshEdge> edges = mesh_edges(*mesh);
    const auto crowded = [](const MeshEdge& e) { return e.count > 2; };
    if (std::none_of(edges.begin(), edges.end(), crowded)) break;
    if (std::any_of(edges.begin(), edges.end(), [](const MeshEdge& e) { return e.count < 2; }))
      break;
    const Lots lots = lots_of(*mesh, edges, [](const MeshEdge& e) { return e.count == 2; });
    const std::vector<int> wall = best_wall(*mesh, lots);
    if (wall.empty()) break;
    std::vector<char> gone(mesh->triangles.size(), 0);
    for (const int t : wall) gone[t] = 1;
    drop(gone, mesh, &note);
  }
  return note.change();
}

MeshChange drop_stray_sheets(TriangleMesh* mesh) {
  ChangeNote note("flat sheets that bound nothing dropped");
  const std::vector<MeshEdge> edges = mesh_edges(*mesh);
  std::vector<char> open(mesh->triangles.size(), 0);
  for (const MeshEdge& e : edges)
    if (e.count == 1) open[e.triangles[0]] = 1;
  // a fin on an edge that two others close without it is a sheet of its own
  const Lots lots = lots_of(*mesh, edges, [](const MeshEdge& e) { return e.count == 2; });
  std::vector<char> gone(mesh->triangles.size(), 0);
  std::size_t sheets = 0;
  for (const auto& lot : lots) {
    if (std::none_of(lot.begin(), lot.end(), [&](int t) { return open[t] != 0; })) continue;
    if (!is_flat(*mesh, lot)) continue;
    ++sheets;
    for (const int t : lot) gone[t] = 1;
  }
  if (sheets > 0 && sheets < lots.size()) drop(gone, mesh, &note);
  return note.change();
}

}  // namespace repose::shape
