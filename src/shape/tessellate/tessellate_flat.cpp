#include "shape/tessellate/tessellate_flat.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <span>

#include <Eigen/Geometry>

#include "repose/shape/make.h"

#include "shape/tessellate/polygon_triangles.h"

namespace repose::shape {
namespace {

constexpr double kFinestChord = 1e-7;  // of a disc, fraction of its radius
/// Edges of a mesh that turn more than this stay sharp to the eye; cosine of 35 degrees.
constexpr double kCreaseCosine = 0.8191520442889918;

Vec3 unit_or_up(const Vec3& v) {
  const double n = v.norm();
  return n > 0.0 ? Vec3(v / n) : Vec3(Vec3::UnitZ());
}

/// A point with more triangles than this has normals by direction, not by triangle: the work stays
/// in proportion to their number.
constexpr std::size_t kWideFan = 256;
/// Directions are told apart by cells on the six sides of a cube, so many along each edge.
constexpr int kCellsAlong = 8;

int cell_of(const Vec3& unit) {
  int axis = 0;
  unit.cwiseAbs().maxCoeff(&axis);
  const auto along = [&](int k) {
    const double share = 0.5 * (unit[k] / std::fabs(unit[axis]) + 1.0);
    return std::clamp(static_cast<int>(kCellsAlong * share), 0, kCellsAlong - 1);
  };
  const int side = 2 * axis + (unit[axis] < 0.0 ? 1 : 0);
  return (side * kCellsAlong + along((axis + 1) % 3)) * kCellsAlong + along((axis + 2) % 3);
}

/// Normals at a point of very many triangles: triangles whose normals share a cell count as one.
class FanNormals {
 public:
  FanNormals(std::span<const int> fan, const std::vector<Vec3>& area,
             const std::vector<Vec3>& unit) {
    std::map<int, Vec3> sums;
    for (const int t : fan)
      sums.try_emplace(cell_of(unit[t]), Vec3::Zero()).first->second += area[t];
    for (const auto& [cell, own] : sums) {
      Vec3 sum = Vec3::Zero();
      for (const auto& [other, all] : sums)
        if (unit_or_up(own).dot(unit_or_up(all)) >= kCreaseCosine) sum += all;
      normals_[cell] = unit_or_up(sum);
    }
  }
  Vec3 normal_at(const Vec3& unit) const { return normals_.at(cell_of(unit)); }

 private:
  std::map<int, Vec3> normals_;  // by cell
};

int add_vertex(const Vec3& p, const Vec3& n, int face, int welded, Tessellation* out) {
  out->points.push_back(p);
  out->normals.push_back(n);
  out->uv.push_back(Vec2::Zero());
  out->part.push_back(0);
  out->face.push_back(face);
  out->welded.push_back(welded);
  return static_cast<int>(out->points.size()) - 1;
}

/// A flat outline between two heights: caps from triangles, walls along the loops.
void add_prism(const std::vector<std::vector<Vec2>>& loops,
               const std::vector<std::array<int, 3>>& cap, double half, bool round,
               Tessellation* out) {
  std::vector<Vec2> flat;
  for (const auto& loop : loops) flat.insert(flat.end(), loop.begin(), loop.end());
  const int n = static_cast<int>(flat.size()), weld = out->welded_count;
  out->welded_count += 2 * n;
  const auto at = [&](int i, double z) { return Vec3(flat[i].x(), flat[i].y(), z); };
  const int low = static_cast<int>(out->points.size());
  for (int i = 0; i < n; ++i) add_vertex(at(i, -half), -Vec3::UnitZ(), -1, weld + i, out);
  for (int i = 0; i < n; ++i) add_vertex(at(i, half), Vec3::UnitZ(), -1, weld + n + i, out);
  for (const auto& t : cap) {
    out->triangles.push_back({low + t[0], low + t[2], low + t[1]});
    out->triangles.push_back({low + n + t[0], low + n + t[1], low + n + t[2]});
  }
  int first = 0;
  for (const auto& loop : loops) {
    const int m = static_cast<int>(loop.size());
    const auto wall = [&](int i) {
      const Vec2 d = loop[(i + 1) % m] - loop[i % m];
      return unit_or_up(Vec3(d.y(), -d.x(), 0.0));
    };
    for (int i = 0; i < m; ++i) {
      const int a = first + i, b = first + (i + 1) % m;
      const Vec3 na = round ? unit_or_up(wall(i + m - 1) + wall(i)) : wall(i);
      const Vec3 nb = round ? unit_or_up(wall(i) + wall(i + 1)) : wall(i);
      const int p = add_vertex(at(a, -half), na, -1, weld + a, out);
      const int q = add_vertex(at(b, -half), nb, -1, weld + b, out);
      const int r = add_vertex(at(b, half), nb, -1, weld + n + b, out);
      const int s = add_vertex(at(a, half), na, -1, weld + n + a, out);
      out->triangles.push_back({p, q, r});
      out->triangles.push_back({p, r, s});
    }
    first += m;
  }
}

void add_disc(const Disc& disc, double half, double chord, Tessellation* out) {
  constexpr int kLeast = 12, kMost = 4096;
  const double ratio = std::min(1.0, std::max(chord / disc.radius, kFinestChord));
  const int n = std::min(
      kMost,
      std::max(kLeast, static_cast<int>(std::ceil(std::numbers::pi / std::acos(1.0 - ratio)))));
  std::vector<Vec2> loop;
  std::vector<std::array<int, 3>> cap;
  for (int i = 0; i < n; ++i) {
    const double a = 2.0 * std::numbers::pi * i / n;
    loop.push_back(disc.center + disc.radius * Vec2(std::cos(a), std::sin(a)));
    if (i >= 2) cap.push_back({0, i - 1, i});
  }
  add_prism({loop}, cap, half, true, out);
  out->chord_error =
      std::max(out->chord_error, disc.radius * (1.0 - std::cos(std::numbers::pi / n)));
}

}  // namespace

Tessellation ground_plate(double half_width) {
  Tessellation out;
  for (const Vec2& c : {Vec2(-1, -1), Vec2(1, -1), Vec2(1, 1), Vec2(-1, 1)})
    add_vertex(half_width * Vec3(c.x(), c.y(), 0.0), Vec3::UnitZ(), -1, out.welded_count++, &out);
  out.triangles = {{0, 1, 2}, {0, 2, 3}};
  return out;
}

Tessellation shaded_mesh(const TriangleMesh& mesh) {
  Tessellation out;
  out.welded_count = static_cast<int>(mesh.points.size());
  // triangles around each point
  std::vector<int> start(mesh.points.size() + 1, 0);
  for (const auto& t : mesh.triangles)
    for (const int c : t) ++start[c + 1];
  for (std::size_t i = 1; i < start.size(); ++i) start[i] += start[i - 1];
  std::vector<int> around(3 * mesh.triangles.size()), fill(start.begin(), start.end() - 1);
  std::vector<Vec3> area(mesh.triangles.size()), unit(mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto& c = mesh.triangles[t];
    for (const int corner : c) around[fill[corner]++] = static_cast<int>(t);
    const Vec3 a = mesh.points[c[0]];
    area[t] = (mesh.points[c[1]] - a).cross(mesh.points[c[2]] - a);
    unit[t] = unit_or_up(area[t]);
  }
  // corners of one point with bitwise equal normals share a vertex
  std::vector<std::vector<int>> made(mesh.points.size());
  std::map<int, FanNormals> wide;
  const auto normal_of = [&](int c, std::size_t t) {
    const std::span<const int> fan(around.begin() + start[c], around.begin() + start[c + 1]);
    if (fan.size() > kWideFan)
      return wide.try_emplace(c, fan, area, unit).first->second.normal_at(unit[t]);
    Vec3 sum = Vec3::Zero();
    for (const int i : fan)
      if (unit[i].dot(unit[t]) >= kCreaseCosine) sum += area[i];
    return unit_or_up(sum);
  };
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    std::array<int, 3> corners{};
    for (int k = 0; k < 3; ++k) {
      const int c = mesh.triangles[t][k];
      const Vec3 normal = normal_of(c, t);
      corners[k] = -1;
      for (const int v : made[c])
        if (out.normals[v] == normal) corners[k] = v;
      if (corners[k] >= 0) continue;
      corners[k] = add_vertex(mesh.points[c], normal, -1, c, &out);
      made[c].push_back(corners[k]);
    }
    out.triangles.push_back(corners);
  }
  return out;
}

Tessellation flat_faces(const ConvexPolyhedron& polyhedron) {
  Tessellation out;
  out.welded_count = static_cast<int>(polyhedron.points.size());
  for (std::size_t f = 0; f < polyhedron.faces.size(); ++f) {
    const auto& face = polyhedron.faces[f];
    const Vec3 a = polyhedron.points[face[0]];
    Vec3 normal = Vec3::Zero();
    for (std::size_t k = 1; k + 1 < face.size(); ++k)
      normal += (polyhedron.points[face[k]] - a).cross(polyhedron.points[face[k + 1]] - a);
    normal = unit_or_up(normal);
    const int base = static_cast<int>(out.points.size());
    for (const int c : face) add_vertex(polyhedron.points[c], normal, static_cast<int>(f), c, &out);
    for (int k = 1; k + 1 < static_cast<int>(face.size()); ++k)
      out.triangles.push_back({base, base + k, base + k + 1});
  }
  return out;
}

Tessellation slab(const PlaneRegion& region, double chord) {
  Tessellation out;
  const double half = 0.5 * region.thickness;
  for (const Polygon& polygon : region.polygons) {
    std::vector<std::vector<Vec2>> loops{polygon.outer};
    loops.insert(loops.end(), polygon.holes.begin(), polygon.holes.end());
    add_prism(loops, triangulate(polygon), half, false, &out);
  }
  for (const Disc& disc : region.discs) add_disc(disc, half, chord, &out);
  return out;
}

Tessellation balls(const SphereSet& set, const TessellateSettings& settings) {
  Tessellation out;
  if (set.centers.empty()) return out;
  TessellateSettings each = settings;
  each.max_triangles = std::max(48, settings.max_triangles / static_cast<int>(set.centers.size()));
  const Tessellation unit = tessellate(**make_ball({1.0}), each);
  for (std::size_t i = 0; i < set.centers.size(); ++i) {
    const int base = static_cast<int>(out.points.size());
    for (std::size_t v = 0; v < unit.points.size(); ++v)
      add_vertex(set.centers[i] + set.radii[i] * unit.points[v], unit.normals[v], -1,
                 out.welded_count + unit.welded[v], &out);
    for (const auto& t : unit.triangles)
      out.triangles.push_back({base + t[0], base + t[1], base + t[2]});
    out.welded_count += unit.welded_count;
    out.chord_error = std::max(out.chord_error, set.radii[i] * unit.chord_error);
  }
  return out;
}

Tessellation surfel_plates(const PointSet& set) {
  constexpr int kSides = 6;
  Tessellation out;
  for (std::size_t i = 0; i < set.surfels.size(); ++i) {
    const Vec3 n = set.normals[i], a = n.unitOrthogonal(), b = n.cross(a);
    const int base = static_cast<int>(out.points.size());
    for (int k = 0; k < kSides; ++k) {
      const double angle = 2.0 * std::numbers::pi * k / kSides;
      add_vertex(set.surfels[i] + set.surfel_radii[i] * (std::cos(angle) * a + std::sin(angle) * b),
                 n, -1, out.welded_count++, &out);
    }
    for (int k = 1; k + 1 < kSides; ++k) out.triangles.push_back({base, base + k, base + k + 1});
  }
  return out;
}

}  // namespace repose::shape
