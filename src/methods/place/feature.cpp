#include "feature.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "foot.h"

namespace repose::place {
namespace {

/// Normals beside a sharp edge are known at this many even parameters.
constexpr int kEdgeNormals = 33;
/// Mesh edges whose faces turn by less are flat: they carry no contact of their own. Sine.
constexpr double kFlatEdge = 1e-7;
/// Cells of the coarse search for the foot of an edge point on its own face.
constexpr int kSeedCells = 12;
/// A shrunk side this near to a corner is an apex, not a smooth pole. Same fraction.
constexpr double kApexNear = 1e-6;

Vec2 nearest_seed(const Feature& f, const Vec3& p) {
  Vec2 best = f.domain.center();
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i <= kSeedCells; ++i)
    for (int j = 0; j <= kSeedCells; ++j) {
      const Vec2 uv(f.domain.u0 + (f.domain.u1 - f.domain.u0) * i / kSeedCells,
                    f.domain.v0 + (f.domain.v1 - f.domain.v0) * j / kSeedCells);
      const double distance = (f.face.patch->point(uv.x(), uv.y()) - p).squaredNorm();
      if (distance < least) {
        least = distance;
        best = uv;
      }
    }
  return best;
}

std::vector<Vec3> normals_along(const shape::Curve& curve, const Feature& face) {
  std::vector<Vec3> out;
  const Interval t = curve.domain();
  for (int i = 0; i < kEdgeNormals; ++i) {
    const double at = t.lo + (t.hi - t.lo) * i / (kEdgeNormals - 1);
    const Vec3 p = curve.jet(at).c;
    const Foot foot = find_foot(face, p, nearest_seed(face, p));
    out.push_back(normal_at(face, foot.uv));
  }
  return out;
}

Feature patch_feature(const shape::Part& part, int index, double size) {
  Feature f;
  f.kind = FeatureKind::patch;
  f.face = part.faces[static_cast<std::size_t>(index)];
  f.planar = f.face.patch->planar();
  f.domain = f.face.patch->domain();
  f.wrap_u = f.face.patch->closed_u();
  f.wrap_v = f.face.patch->closed_v();
  std::array<bool, 4> sewn{};
  f.smooth_side = {true, true, true, true};
  for (const shape::Seam& seam : part.seams)
    for (const shape::SideStretch* s : {&seam.left, &seam.right})
      if (s->face == index) {
        sewn[static_cast<std::size_t>(s->side)] = true;
        if (seam.sharp) f.smooth_side[static_cast<std::size_t>(s->side)] = false;
      }
  // a side without a seam has shrunk to a point: smooth unless a corner sits there
  for (std::size_t side = 0; side < 4; ++side) {
    if (sewn[side]) continue;
    shape::SideStretch s;
    s.side = static_cast<shape::Side>(side);
    const bool along_v = s.side == shape::Side::u_low || s.side == shape::Side::u_high;
    const Vec2 uv = s.uv(f.domain, along_v ? f.domain.v0 : f.domain.u0);
    const Vec3 p = f.face.patch->point(uv.x(), uv.y());
    for (const shape::Vertex& vertex : part.vertices)
      if ((vertex.point - p).norm() < kApexNear * size) f.smooth_side[side] = false;
  }
  return f;
}

void add_solid(const shape::Solid& solid, double size, std::vector<Feature>& out) {
  for (const shape::Part& part : solid.parts) {
    const std::size_t first = out.size();
    for (std::size_t i = 0; i < part.faces.size(); ++i)
      out.push_back(patch_feature(part, static_cast<int>(i), size));
    for (const shape::Edge& edge : part.edges) {
      if (!edge.convex) continue;
      Feature f;
      f.kind = FeatureKind::curve;
      f.curve = edge.curve;
      const Interval t = edge.curve->domain();
      f.domain = {t.lo, t.hi, 0.0, 0.0};
      f.wrap_u = edge.curve->closed();
      f.normals_left =
          normals_along(*edge.curve, out[first + static_cast<std::size_t>(edge.left_face)]);
      f.normals_right =
          normals_along(*edge.curve, out[first + static_cast<std::size_t>(edge.right_face)]);
      out.push_back(std::move(f));
    }
    for (const shape::Vertex& vertex : part.vertices) {
      Feature f;
      f.point = vertex.point;
      out.push_back(std::move(f));
    }
  }
}

Feature triangle_feature(const Vec3& a, const Vec3& b, const Vec3& c) {
  Feature f;
  f.kind = FeatureKind::triangle;
  f.corners = {a, b, c};
  f.normal = (b - a).cross(c - a).normalized();
  f.planar = true;
  return f;
}

/// Two triangles that meet at a re-entrant edge with ends a, b tell each other of it.
void join_rising(Feature& left, Feature& right, const Vec3& a, const Vec3& b) {
  const auto side = [&](const Feature& f) {
    for (std::size_t k = 0; k < 3; ++k)
      if (f.corners[k] != a && f.corners[k] != b) return (k + 1) % 3;
    return std::size_t{0};
  };
  const std::size_t l = side(left), r = side(right);
  left.rising[l] = right.corners[(r + 2) % 3];
  right.rising[r] = left.corners[(l + 2) % 3];
}

/// Sharp convex edges and the corners they meet in.
void add_mesh_edges(const std::vector<Vec3>& points,
                    const std::vector<std::array<int, 3>>& triangles, std::size_t first,
                    std::vector<Feature>& out) {
  std::map<std::pair<int, int>, std::array<int, 2>> beside;  // by ends in order: left, right
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = triangles[t][k], b = triangles[t][(k + 1) % 3];
      auto& sides = beside.try_emplace(std::minmax(a, b), std::array<int, 2>{-1, -1}).first->second;
      sides[a < b ? 0 : 1] = static_cast<int>(t);
    }
  std::vector<bool> corner(points.size(), false);
  for (const auto& [ends, sides] : beside) {
    const auto a = static_cast<std::size_t>(ends.first), b = static_cast<std::size_t>(ends.second);
    const bool open = sides[0] < 0 || sides[1] < 0;
    const Vec3 left = out[first + static_cast<std::size_t>(std::max(sides[0], 0))].normal;
    const Vec3 right = out[first + static_cast<std::size_t>(std::max(sides[1], 0))].normal;
    const Vec3 along = points[b] - points[a];
    const double bends = left.cross(right).dot(along) / along.norm();
    if (!open && bends < -kFlatEdge)
      join_rising(out[first + static_cast<std::size_t>(sides[0])],
                  out[first + static_cast<std::size_t>(sides[1])], points[a], points[b]);
    if (!open && bends <= kFlatEdge) continue;
    Feature f;
    f.kind = FeatureKind::curve;
    f.curve = shape::segment_curve(points[a], points[b]);
    f.domain = {0.0, 1.0, 0.0, 0.0};
    f.normals_left = {left, left};
    f.normals_right = {right, right};
    out.push_back(std::move(f));
    corner[a] = corner[b] = true;
  }
  for (std::size_t i = 0; i < points.size(); ++i)
    if (corner[i]) {
      Feature f;
      f.point = points[i];
      out.push_back(std::move(f));
    }
}

void add_mesh(const std::vector<Vec3>& points, const std::vector<std::array<int, 3>>& triangles,
              std::vector<Feature>& out) {
  const std::size_t first = out.size();
  for (const auto& t : triangles)
    out.push_back(triangle_feature(points[static_cast<std::size_t>(t[0])],
                                   points[static_cast<std::size_t>(t[1])],
                                   points[static_cast<std::size_t>(t[2])]));
  add_mesh_edges(points, triangles, first, out);
}

double wrapped(double x, double low, double high) {
  const double span = high - low;
  const double turns = std::floor((x - low) / span);
  return std::clamp(x - turns * span, low, high);
}

}  // namespace

PointJet point_jet(const Feature& f, const Vec2& uv) {
  PointJet out;
  if (f.kind == FeatureKind::point) {
    out.s = f.point;
  } else if (f.kind == FeatureKind::curve) {
    const shape::CurveJet jet = f.curve->jet(uv.x());
    out.s = jet.c;
    out.si = {jet.ct, Vec3::Zero()};
    out.sij = {jet.ctt, Vec3::Zero(), Vec3::Zero()};
  } else if (f.kind == FeatureKind::patch) {
    return point_jet(f.face.patch->jet(uv.x(), uv.y()));
  }
  return out;
}

PointJet point_jet(const shape::PatchJet& jet) {
  return {jet.s, {jet.su, jet.sv}, {jet.suu, jet.suv, jet.svv}};
}

Vec3 normal_at(const Feature& f, const Vec2& uv) {
  if (f.kind == FeatureKind::patch) return f.face.normal(uv.x(), uv.y());
  return f.normal;
}

Vec2 into_domain(const Feature& f, const Vec2& uv) {
  const shape::UvBox& d = f.domain;
  return {f.wrap_u ? wrapped(uv.x(), d.u0, d.u1) : std::clamp(uv.x(), d.u0, d.u1),
          f.wrap_v ? wrapped(uv.y(), d.v0, d.v1) : std::clamp(uv.y(), d.v0, d.v1)};
}

std::vector<Feature> features_of(const shape::Shape& shape) {
  std::vector<Feature> out;
  if (const auto* ball = std::get_if<shape::Ball>(&shape.geometry)) {
    Feature f;
    f.radius = ball->radius;
    out.push_back(f);
  } else if (std::holds_alternative<shape::HalfSpace>(shape.geometry)) {
    Feature f;
    f.kind = FeatureKind::half_space;
    f.planar = true;
    out.push_back(f);
  } else if (const auto* solid = std::get_if<shape::Solid>(&shape.geometry)) {
    add_solid(*solid, shape.bounding_radius, out);
  } else if (const auto* mesh = std::get_if<shape::TriangleMesh>(&shape.geometry)) {
    add_mesh(mesh->points, mesh->triangles, out);
  } else if (const auto* convex = std::get_if<shape::ConvexPolyhedron>(&shape.geometry)) {
    std::vector<std::array<int, 3>> triangles;
    for (const auto& face : convex->faces)
      for (std::size_t k = 2; k < face.size(); ++k)
        triangles.push_back({face[0], face[k - 1], face[k]});
    add_mesh(convex->points, triangles, out);
  }
  return out;
}

}  // namespace repose::place
