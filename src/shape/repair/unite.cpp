#include "shape/repair/unite.h"

#include <algorithm>
#include <map>

#include <Eigen/Geometry>

#include "repose/base/disjoint_sets.h"
#include "repose/base/random.h"

#include "shape/matter/self_meeting.h"
#include "shape/mesh/mesh_topology.h"
#include "shape/repair/cut_faces.h"

namespace repose::shape {
namespace {

using Corners = std::array<int, 3>;

/// How far points of touching faces are moved outward, one try after the other; of the size.
constexpr std::array kGrowths = {0.0, 1e-7, 1e-6, 1e-5};
/// Beyond the mesh, as a multiple of its size.
constexpr double kBeyond = 8.0;

/// Parts of faces that no line of meeting parts: all of a patch lie within matter, or none.
std::vector<std::vector<int>> patches_of(const CutFaces& cut) {
  std::map<std::pair<int, int>, int> first;
  DisjointSets sets(static_cast<int>(cut.parts.size()));
  for (int p = 0; p < static_cast<int>(cut.parts.size()); ++p)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::pair<int, int> side = std::minmax(cut.parts[p][k], cut.parts[p][(k + 1) % 3]);
      if (std::binary_search(cut.segments.begin(), cut.segments.end(), side)) continue;
      const auto [found, fresh] = first.emplace(side, p);
      if (!fresh) sets.join(found->second, p);
    }
  std::map<int, std::vector<int>> by_name;
  for (int p = 0; p < static_cast<int>(cut.parts.size()); ++p)
    by_name[sets.name_of(p)].push_back(p);
  std::vector<std::vector<int>> out;
  for (auto& [name, patch] : by_name) out.push_back(std::move(patch));
  return out;
}

/// Radius of the circle within a part: what is widest is safest to look from.
double width_of(const CutFaces& cut, int part) {
  const Corners& c = cut.parts[part];
  const Vec3 &p = cut.points[c[0]], &q = cut.points[c[1]], &r = cut.points[c[2]];
  const double around = (q - p).norm() + (r - q).norm() + (p - r).norm();
  return around > 0.0 ? (q - p).cross(r - p).norm() / around : 0.0;
}

/// How often the mesh winds about the outward side of a part.
Winding winding_outside(const TriangleMesh& mesh, const CutFaces& cut, int part, double size) {
  const Corners& c = cut.parts[part];
  const Vec3 p = (cut.points[c[0]] + cut.points[c[1]] + cut.points[c[2]]) / 3.0;
  const Corners& face = mesh.triangles[cut.face[part]];
  const Vec3 n = (mesh.points[face[1]] - mesh.points[face[0]])
                     .cross(mesh.points[face[2]] - mesh.points[face[0]])
                     .normalized();
  std::vector<int> others;
  for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t)
    if (t != cut.face[part]) others.push_back(t);
  constexpr int kTries = 12;
  Random random(1);
  for (int k = 0; k < kTries; ++k) {
    const Vec3 aside(random.normal(), random.normal(), random.normal());
    const Vec3 way = n + 0.5 * (aside - n * n.dot(aside)).normalized();
    const Winding found = winding_along(p, p + kBeyond * size * way.normalized(), mesh, others);
    if (found.known) return found;
  }
  return {};
}

/// The parts that part matter from nothing.
std::optional<TriangleMesh> outside_of(const TriangleMesh& mesh, const CutFaces& cut, double size) {
  TriangleMesh out{cut.points, {}};
  for (const auto& patch : patches_of(cut)) {
    const int widest = *std::max_element(patch.begin(), patch.end(), [&](int a, int b) {
      return width_of(cut, a) < width_of(cut, b);
    });
    const Winding outside = winding_outside(mesh, cut, widest, size);
    if (!outside.known) return std::nullopt;
    // from nothing into matter, or from what is wound about the other way into nothing
    if (outside.number != 0 && outside.number != -1) continue;
    for (const int p : patch) {
      Corners part = cut.parts[p];
      if (outside.number != 0) std::swap(part[1], part[2]);
      out.triangles.push_back(part);
    }
  }
  if (out.triangles.empty()) return std::nullopt;
  return welded(out);
}

bool is_sound(const TriangleMesh& mesh) {
  for (const MeshEdge& e : mesh_edges(mesh))
    if (e.count != 2 || e.forward[0] == e.forward[1]) return false;
  return self_meeting(mesh).kind == Meeting::none;
}

/// Points of faces that touch others go outward, those of each piece by a length of its own, so
/// that nothing lies in one plane afterwards; from the second such try on each point a little aside
/// as well, so that no two edges cross.
TriangleMesh grown(const TriangleMesh& mesh, double length, std::uint64_t seed, ChangeNote* note) {
  std::vector<char> touches(mesh.points.size(), 0);
  constexpr std::size_t kMost = 1'000'000;
  for (const SelfMeeting& m : all_meetings(mesh, kMost))
    for (const int t : m.triangles)
      for (const int corner : mesh.triangles[t]) touches[corner] = 1;
  std::vector<Vec3> normal(mesh.points.size(), Vec3::Zero());
  DisjointSets pieces(static_cast<int>(mesh.points.size()));
  for (const Corners& c : mesh.triangles) {
    const Vec3 n = (mesh.points[c[1]] - mesh.points[c[0]])
                       .cross(mesh.points[c[2]] - mesh.points[c[0]])
                       .normalized();
    for (const int corner : c)
      if (n.allFinite()) normal[corner] += n;
    pieces.join(c[0], c[1]);
    pieces.join(c[1], c[2]);
  }
  TriangleMesh out = mesh;
  Random aside(seed);
  for (int i = 0; i < static_cast<int>(out.points.size()); ++i) {
    if (!touches[i] || normal[i].squaredNorm() == 0.0) continue;
    const auto number = static_cast<std::uint64_t>(pieces.name_of(i));
    const double share = Random(seed * mesh.points.size() + number).between(0.3, 1.0);
    out.points[i] += share * length * normal[i].normalized();
    if (seed > 1)
      for (int k = 0; k < 3; ++k) out.points[i][k] += aside.between(-0.2, 0.2) * length;
    note->move(mesh.points[i], out.points[i]);
  }
  return out;
}

void note_parts(const TriangleMesh& before, const TriangleMesh& after, ChangeNote* note) {
  // faces that are in both, by their places, did not change
  const auto key = [](const TriangleMesh& mesh, const Corners& c) {
    std::array<std::array<double, 3>, 3> out;
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t i = 0; i < 3; ++i) out[k][i] = mesh.points[c[k]][static_cast<int>(i)];
    std::sort(out.begin(), out.end());
    return out;
  };
  std::map<std::array<std::array<double, 3>, 3>, int> count;
  for (const Corners& c : before.triangles) ++count[key(before, c)];
  for (const Corners& c : after.triangles) --count[key(after, c)];
  for (const Corners& c : before.triangles)
    if (count[key(before, c)] > 0) note->add(before, c);
}

}  // namespace

std::optional<TriangleMesh> united(const TriangleMesh& mesh, double size, MeshChange* change) {
  for (std::size_t k = 0; k < kGrowths.size(); ++k) {
    ChangeNote note("parts united");
    const TriangleMesh moved = kGrowths[k] > 0.0 ? grown(mesh, kGrowths[k] * size, k, &note) : mesh;
    const auto cut = cut_faces(moved);
    if (!cut) continue;
    auto out = outside_of(moved, *cut, size);
    if (!out || !is_sound(*out)) continue;
    note_parts(mesh, *out, &note);
    note.count();
    *change = note.change();
    return out;
  }
  return std::nullopt;
}

}  // namespace repose::shape
