#include "shape/repair/holes.h"

#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>

#include "repose/math/exact.h"

#include "shape/define/validate.h"
#include "shape/mesh/mesh_topology.h"
#include "shape/tessellate/polygon_triangles.h"

namespace repose::shape {
namespace {

using Side = std::pair<int, int>;  // from, to
using Corners = std::array<int, 3>;

/// Longer loops are closed only where they lie in a plane: least area takes the cube of this.
constexpr std::size_t kLongestLoop = 400;
/// Corners of a loop within this of their plane are taken to lie in it; of the loop's size.
constexpr double kFlatFraction = 1e-6;

std::map<Side, int> sides_of(const TriangleMesh& mesh) {
  std::map<Side, int> out;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k)
      out[{mesh.triangles[t][k], mesh.triangles[t][(k + 1) % 3]}] = static_cast<int>(t);
  return out;
}

/// The open side that follows `side` around its hole: through the fan of triangles at its end.
Side next_open(const std::map<Side, int>& sides, const TriangleMesh& mesh, Side side) {
  for (std::size_t k = 0; k <= mesh.triangles.size(); ++k) {
    const Corners& c = mesh.triangles[sides.at(side)];
    std::size_t i = 0;
    while (c[i] != side.second) ++i;
    const Side leaves{side.second, c[(i + 1) % 3]};
    const auto across = sides.find({leaves.second, leaves.first});
    if (across == sides.end()) return leaves;
    side = across->first;
  }
  return side;
}

/// Loops of open sides, as corners in the order in which new triangles go round.
std::vector<std::vector<int>> loops_of(const TriangleMesh& mesh, const std::map<Side, int>& sides) {
  std::set<Side> left;
  for (const auto& [side, t] : sides)
    if (!sides.contains({side.second, side.first})) left.insert(side);
  std::vector<std::vector<int>> out;
  while (!left.empty()) {
    std::vector<int> loop;
    for (Side side = *left.begin(); left.erase(side) == 1; side = next_open(sides, mesh, side))
      loop.push_back(side.first);
    std::reverse(loop.begin(), loop.end());
    out.push_back(std::move(loop));
  }
  return out;
}

/// A loop that passes a corner twice is cut there into loops that do not.
std::vector<std::vector<int>> without_repeats(const std::vector<int>& loop) {
  std::vector<std::vector<int>> out;
  std::vector<int> way;
  for (const int corner : loop) {
    const auto before = std::find(way.begin(), way.end(), corner);
    if (before != way.end()) {
      out.emplace_back(before, way.end());
      way.erase(before, way.end());
    }
    way.push_back(corner);
  }
  out.push_back(std::move(way));
  return out;
}

Vec3 area_vector(const TriangleMesh& mesh, const std::vector<int>& loop) {
  Vec3 out = Vec3::Zero();
  const Vec3& a = mesh.points[loop[0]];
  for (std::size_t k = 1; k + 1 < loop.size(); ++k)
    out += (mesh.points[loop[k]] - a).cross(mesh.points[loop[k + 1]] - a);
  return 0.5 * out;
}

double size_of(const TriangleMesh& mesh, const std::vector<int>& loop) {
  double out = 0.0;
  for (const int corner : loop)
    out = std::max(out, (mesh.points[corner] - mesh.points[loop[0]]).norm());
  return out;
}

/// The loop seen along its area, where it lies in a plane; empty where it does not.
std::vector<Vec2> in_plane(const TriangleMesh& mesh, const std::vector<int>& loop) {
  const Vec3 n = area_vector(mesh, loop).normalized();
  const Vec3& a = mesh.points[loop[0]];
  double off = 0.0;
  for (const int corner : loop) off = std::max(off, std::fabs(n.dot(mesh.points[corner] - a)));
  if (!n.allFinite() || !(off <= kFlatFraction * size_of(mesh, loop))) return {};
  const Vec3 u = n.unitOrthogonal(), v = n.cross(u);
  std::vector<Vec2> out;
  for (const int corner : loop)
    out.emplace_back(u.dot(mesh.points[corner] - a), v.dot(mesh.points[corner] - a));
  return out;
}

bool segments_meet(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d) {
  return orient2d(a, b, c) * orient2d(a, b, d) <= 0 && orient2d(c, d, a) * orient2d(c, d, b) <= 0;
}

bool is_simple(const std::vector<Vec2>& loop) {
  const std::size_t n = loop.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 2; j < n; ++j)
      if ((j + 1) % n != i && segments_meet(loop[i], loop[i + 1], loop[j], loop[(j + 1) % n]))
        return false;
  return true;
}

/// A triangle with less area is none; of the square of the loop's size.
constexpr double kLeastArea = 1e-12;

/// Least area over all ways to cut the loop, by the loops before and behind each chord. Empty where
/// every way uses an edge that is there already, or three corners in a line.
std::vector<Corners> least_area(const TriangleMesh& mesh, const std::map<Side, int>& sides,
                                const std::vector<int>& loop) {
  const std::size_t n = loop.size();
  const double size = size_of(mesh, loop), least = kLeastArea * size * size;
  constexpr double kNever = std::numeric_limits<double>::infinity();
  std::vector<double> cost(n * n, 0.0);
  std::vector<std::size_t> at(n * n, 0);
  const auto free_chord = [&](std::size_t i, std::size_t k) {
    if (k == i + 1 || (i == 0 && k == n - 1)) return true;
    return !sides.contains({loop[i], loop[k]}) && !sides.contains({loop[k], loop[i]});
  };
  for (std::size_t span = 2; span < n; ++span)
    for (std::size_t i = 0; i + span < n; ++i) {
      const std::size_t k = i + span;
      cost[i * n + k] = kNever;
      if (!free_chord(i, k)) continue;
      const Vec3 &p = mesh.points[loop[i]], &r = mesh.points[loop[k]];
      for (std::size_t j = i + 1; j < k; ++j) {
        const double area = (mesh.points[loop[j]] - p).cross(r - p).norm();
        if (!(area > least)) continue;
        const double sum = cost[i * n + j] + cost[j * n + k] + area;
        if (sum >= cost[i * n + k]) continue;
        cost[i * n + k] = sum;
        at[i * n + k] = j;
      }
    }
  if (!(cost[n - 1] < kNever)) return {};
  std::vector<Corners> out;
  std::vector<std::pair<std::size_t, std::size_t>> open{{0, n - 1}};
  while (!open.empty()) {
    const auto [i, k] = open.back();
    open.pop_back();
    if (k == i + 1) continue;
    const std::size_t j = at[i * n + k];
    out.push_back({loop[i], loop[j], loop[k]});
    open.insert(open.end(), {{i, j}, {j, k}});
  }
  return out;
}

std::vector<Corners> cover(const TriangleMesh& mesh, const std::map<Side, int>& sides,
                           const std::vector<int>& loop) {
  if (loop.size() <= kLongestLoop) return least_area(mesh, sides, loop);
  const std::vector<Vec2> flat = in_plane(mesh, loop);
  if (flat.empty() || !is_simple(flat)) return {};
  std::vector<Corners> out;
  for (const auto& c : triangulate({flat, {}})) out.push_back({loop[c[0]], loop[c[1]], loop[c[2]]});
  return out;
}

}  // namespace

MeshChange fill_holes(TriangleMesh* mesh, std::vector<std::string>* refused) {
  ChangeNote note("holes closed");
  const auto sides = sides_of(*mesh);
  std::vector<Corners> fresh;
  for (const auto& whole : loops_of(*mesh, sides))
    for (const auto& loop : without_repeats(whole)) {
      if (loop.size() < 3) continue;
      const std::vector<Corners> lid = cover(*mesh, sides, loop);
      if (lid.empty()) {
        refused->push_back(fmt::format("the hole of {} edges at {} has no simple lid", loop.size(),
                                       point_text(mesh->points[loop[0]])));
        continue;
      }
      note.count();
      for (const Corners& c : lid) note.add(*mesh, c);
      fresh.insert(fresh.end(), lid.begin(), lid.end());
    }
  mesh->triangles.insert(mesh->triangles.end(), fresh.begin(), fresh.end());
  return note.change();
}

}  // namespace repose::shape
