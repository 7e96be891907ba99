#include "shape/repair/weld_near.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "shape/mesh/mesh_topology.h"

namespace repose::shape {
namespace {

using Cell = std::array<std::int64_t, 3>;

/// Numbers of points in cubes of one size.
class Cells {
 public:
  explicit Cells(double size) : size_(size) {}

  Cell cell_of(const Vec3& p) const {
    Cell out{};
    for (std::size_t i = 0; i < 3; ++i)
      out[i] = static_cast<std::int64_t>(std::floor(p[static_cast<int>(i)] / size_));
    return out;
  }
  void add(const Vec3& p, int number) { held_[cell_of(p)].push_back(number); }
  /// visit(number) for the points in the cells that the box meets.
  template <class Visit>
  void each(const Vec3& low, const Vec3& high, const Visit& visit) const {
    const Cell a = cell_of(low), b = cell_of(high);
    for (auto x = a[0]; x <= b[0]; ++x)
      for (auto y = a[1]; y <= b[1]; ++y)
        for (auto z = a[2]; z <= b[2]; ++z)
          if (const auto found = held_.find({x, y, z}); found != held_.end())
            for (const int number : found->second) visit(number);
  }

 private:
  double size_;
  std::map<Cell, std::vector<int>> held_;
};

std::vector<MeshEdge> open_edges(const TriangleMesh& mesh) {
  std::vector<MeshEdge> edges = mesh_edges(mesh);
  std::erase_if(edges, [](const MeshEdge& e) { return e.count != 1; });
  return edges;
}

std::vector<int> points_of(const std::vector<MeshEdge>& edges) {
  std::vector<int> out;
  for (const MeshEdge& e : edges) out.insert(out.end(), {e.a, e.b});
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

/// For every point the one that takes its place: the nearest earlier one that keeps its own.
std::vector<int> places_taken(double distance, const TriangleMesh& mesh,
                              const std::vector<int>& open) {
  std::vector<int> to(mesh.points.size());
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = static_cast<int>(i);
  Cells kept(distance);
  const Vec3 about = Vec3::Constant(distance);
  for (const int i : open) {
    const Vec3& p = mesh.points[i];
    double least = distance;
    kept.each(p - about, p + about, [&](int k) {
      const double far = (mesh.points[k] - p).norm();
      if (far > least) return;
      least = far;
      to[i] = k;
    });
    if (to[i] == i) kept.add(p, i);
  }
  return to;
}

/// Where along the edge a to b the point lies nearest; negative: beyond an end or too far off.
double place_along(const Vec3& a, const Vec3& b, const Vec3& p, double distance) {
  const Vec3 d = b - a;
  const double at = d.dot(p - a) / d.squaredNorm();
  if (!(at > 0.0 && at < 1.0)) return -1.0;
  const bool near_end = (p - a).norm() <= distance || (p - b).norm() <= distance;
  return !near_end && (a + at * d - p).norm() <= distance ? at : -1.0;
}

/// The triangle becomes a fan over the points along its side a b, which are sorted from a to b.
void split_side(int triangle, int a, int b, const std::vector<int>& along, TriangleMesh* mesh,
                ChangeNote* note) {
  std::array<int, 3>& c = mesh->triangles[triangle];
  note->add(*mesh, c);
  const int far = c[0] + c[1] + c[2] - a - b;
  std::size_t k = 0;
  while (c[k] != a) ++k;
  const bool forward = c[(k + 1) % 3] == b;
  const auto turned = [&](int from, int to) {
    return forward ? std::array{from, to, far} : std::array{to, from, far};
  };
  c = turned(a, along[0]);
  for (std::size_t i = 0; i < along.size(); ++i)
    mesh->triangles.push_back(turned(along[i], i + 1 < along.size() ? along[i + 1] : b));
  note->count(along.size());
}

/// A cell for points along edges: the mean edge, so that an edge meets few cells.
double cell_size(const TriangleMesh& mesh, const std::vector<MeshEdge>& edges, double distance) {
  double sum = 0.0;
  for (const MeshEdge& e : edges) sum += (mesh.points[e.a] - mesh.points[e.b]).norm();
  return std::max(2.0 * distance,
                  sum / static_cast<double>(std::max<std::size_t>(1, edges.size())));
}

/// One edge of each triangle at most; false where nothing was split.
bool split_once(double distance, TriangleMesh* mesh, ChangeNote* note) {
  const std::vector<MeshEdge> edges = open_edges(*mesh);
  if (edges.empty()) return false;
  Cells cells(cell_size(*mesh, edges, distance));
  for (const int i : points_of(edges)) cells.add(mesh->points[i], i);
  std::vector<char> done(mesh->triangles.size(), 0);
  bool any = false;
  const Vec3 about = Vec3::Constant(distance);
  for (const MeshEdge& e : edges) {
    const int t = e.triangles[0];
    if (done[t]) continue;
    const Vec3 a = mesh->points[e.a], b = mesh->points[e.b];
    std::vector<std::pair<double, int>> found;
    cells.each(a.cwiseMin(b) - about, a.cwiseMax(b) + about, [&](int i) {
      const auto& c = mesh->triangles[t];
      if (i == c[0] || i == c[1] || i == c[2]) return;
      const double at = place_along(a, b, mesh->points[i], distance);
      if (at < 0.0) return;
      found.emplace_back(at, i);
      note->move(a + at * (b - a), mesh->points[i]);
    });
    if (found.empty()) continue;
    std::sort(found.begin(), found.end());
    std::vector<int> along;
    for (const auto& [at, i] : found) along.push_back(i);
    split_side(t, e.a, e.b, along, mesh, note);
    done[t] = 1;
    any = true;
  }
  return any;
}

}  // namespace

MeshChange weld_open_points(double distance, TriangleMesh* mesh) {
  ChangeNote note("near points on open edges made one");
  if (!(distance > 0.0)) return note.change();
  const std::vector<int> to = places_taken(distance, *mesh, points_of(open_edges(*mesh)));
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (to[i] == static_cast<int>(i)) continue;
    note.move(mesh->points[i], mesh->points[to[i]]);
    note.count();
    mesh->points[i] = mesh->points[to[i]];
  }
  if (note.any()) *mesh = welded(*mesh);
  return note.change();
}

MeshChange split_open_edges(double distance, TriangleMesh* mesh) {
  ChangeNote note("open edges split at points on them");
  // a triangle may have three such sides, and each part of it others
  constexpr int kMostRounds = 16;
  for (int round = 0; round < kMostRounds && split_once(distance, mesh, &note); ++round) {
  }
  return note.change();
}

}  // namespace repose::shape
