#include "convex.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "repose/shape/tessellate.h"

namespace repose::pile {
namespace {

constexpr double kSameDirection = 1e-9;  // sine
constexpr double kFullTurn = 6.283185307179586;
constexpr int kArcs = 12;  // pieces of a torus
/// Cells of a curved body are no wider than this and hold no more than that beyond the surface, of
/// its bounding radius.
constexpr double kCellWidth = 0.5, kCellSwell = 0.03;

}  // namespace

Vec3 Convex::nearest_on_arc(const Vec3& p) const {
  double off = std::remainder(std::atan2(p.y(), p.x()) - middle, kFullTurn);
  off = std::clamp(off, -half, half);
  return {ring * std::cos(middle + off), ring * std::sin(middle + off), 0.0};
}

Vec3 Convex::support(const Vec3& direction) const {
  if (core == Core::arc) return nearest_on_arc(direction);
  if (core == Core::discs) {
    const double across = std::hypot(direction.x(), direction.y());
    const auto on = [&](const Disc& disc) {
      const double share = across > 0.0 ? disc.radius / across : 0.0;
      return Vec3(share * direction.x(), share * direction.y(), disc.height);
    };
    const Vec3 p = on(low), q = on(high);
    return p.dot(direction) >= q.dot(direction) ? p : q;
  }
  if (core == Core::ellipsoid) {
    const Vec3 scaled = semi_axes.cwiseProduct(direction);
    return points[0] + semi_axes.cwiseProduct(scaled / scaled.norm());
  }
  std::size_t best = 0;
  double far = points[0].dot(direction);
  for (std::size_t i = 1; i < points.size(); ++i) {
    const double along = points[i].dot(direction);
    if (along > far) {
      far = along;
      best = i;
    }
  }
  return points[best];
}

Mat3 Convex::bend(const Vec3& direction) const {
  Mat3 out = Mat3::Zero();
  if (core == Core::ellipsoid) {
    const Vec3 squares = semi_axes.cwiseProduct(semi_axes),
               pulled = squares.cwiseProduct(direction);
    const double h = std::sqrt(direction.dot(pulled));
    out = Mat3(squares.asDiagonal()) / h - pulled * pulled.transpose() / (h * h * h);
  } else if (core == Core::discs || core == Core::arc) {
    const double across = std::hypot(direction.x(), direction.y());
    if (!(across > 0.0)) return out;
    const Vec3 around(-direction.y() / across, direction.x() / across, 0.0);
    double rim = ring;
    if (core == Core::discs) {
      rim = support(direction).z() == low.height ? low.radius : high.radius;
    } else {
      const Vec3 here = nearest_on_arc(direction);
      if (here.x() * direction.x() + here.y() * direction.y() < 0.0) rim = -ring;
    }
    out = rim / across * around * around.transpose();
  }
  return out;
}

namespace {

/// The normal and the edges of a face, each direction once.
void add_face(Convex& hull, std::span<const int> face) {
  const auto add = [](std::vector<Vec3>& list, const Vec3& v) {
    if (v.norm() == 0.0) return;
    const Vec3 unit = v.normalized();
    for (const Vec3& known : list)
      if (known.cross(unit).norm() < kSameDirection) return;
    list.push_back(unit);
  };
  const auto point = [&](std::size_t i) { return hull.points[face[i % face.size()]]; };
  add(hull.faces, (point(1) - point(0)).cross(point(2) - point(0)));
  for (std::size_t i = 0; i < face.size(); ++i) add(hull.edges, point(i + 1) - point(i));
}

/// The half-space that holds the whole hull and has `normal` as its outward side.
void add_side(Convex& hull, const Vec3& normal) {
  if (normal.norm() == 0.0) return;
  Convex::Face side;
  side.normal = normal.normalized();
  side.offset = hull.support(side.normal).dot(side.normal);
  hull.sides.push_back(side);
}

/// A ball about the middle of the core's box.
void bound(Convex& set) {
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();
  for (int k = 0; k < 3; ++k) {
    Vec3 axis = Vec3::Zero();
    axis[k] = 1.0;
    high[k] = set.support(axis)[k];
    low[k] = set.support(-axis)[k];
  }
  set.bound_center = 0.5 * (low + high);
  set.bound_radius = 0.5 * (high - low).norm() + set.radius;
  if (set.core == Convex::Core::points) {
    double farthest = 0.0;
    for (const Vec3& p : set.points) farthest = std::max(farthest, (p - set.bound_center).norm());
    set.bound_radius = std::min(set.bound_radius, farthest + set.radius);
  }
}

}  // namespace

Convex polygon_piece(std::vector<Vec3> corners) {
  Convex out;
  out.points = std::move(corners);
  std::vector<int> loop(out.points.size());
  for (std::size_t i = 0; i < loop.size(); ++i) loop[i] = static_cast<int>(i);
  add_face(out, loop);
  Vec3 normal = Vec3::Zero();
  for (std::size_t i = 1; i + 1 < loop.size(); ++i)
    normal += (out.points[i] - out.points[0]).cross(out.points[i + 1] - out.points[0]);
  add_side(out, normal);
  add_side(out, -normal);
  for (std::size_t i = 0; i < loop.size(); ++i)
    add_side(out, (out.points[(i + 1) % loop.size()] - out.points[i]).cross(normal));
  bound(out);
  return out;
}

namespace {

std::vector<Convex> pieces_of(const shape::Shape& shape) {
  Convex out;
  if (const auto* ball = std::get_if<shape::Ball>(&shape.geometry)) {
    out.points = {Vec3::Zero()};
    out.radius = ball->radius;
    return {out};
  }
  if (const auto* hull = std::get_if<shape::ConvexPolyhedron>(&shape.geometry)) {
    out.points = hull->points;
    Vec3 middle = Vec3::Zero();
    for (const Vec3& p : out.points) middle += p / static_cast<double>(out.points.size());
    for (const auto& face : hull->faces) {
      add_face(out, face);
      const Vec3 &p = out.points[face[0]], &q = out.points[face[1]], &r = out.points[face[2]];
      const Vec3 normal = (q - p).cross(r - p);
      add_side(out, normal.dot(p - middle) < 0.0 ? Vec3(-normal) : normal);
    }
    return {out};
  }
  if (const auto* mesh = std::get_if<shape::TriangleMesh>(&shape.geometry)) {
    return mesh_pieces(*mesh);
  }
  const auto* solid = std::get_if<shape::Solid>(&shape.geometry);
  if (solid == nullptr) return {};
  // the vertices of a tessellation lie on the surface: they give the measures of a round solid
  shape::TessellateSettings coarse;
  coarse.cells_per_side = 8;
  const shape::Tessellation mesh = shape::tessellate(shape, coarse);
  Vec3 low = mesh.points[0], high = low;
  for (const Vec3& p : mesh.points) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  if (shape.kind == shape::ShapeKind::box) {
    for (int i = 0; i < 8; ++i)
      out.points.emplace_back((i & 1 ? high : low).x(), (i & 2 ? high : low).y(),
                              (i & 4 ? high : low).z());
    out.faces = out.edges = {Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
    for (const Vec3& axis : out.faces) {
      add_side(out, axis);
      add_side(out, -axis);
    }
    return {out};
  }
  const auto rim = [&](double z) {
    double widest = 0.0;
    for (const Vec3& p : mesh.points)
      if (p.z() == z) widest = std::max(widest, std::hypot(p.x(), p.y()));
    return widest;
  };
  if (shape.kind == shape::ShapeKind::cylinder || shape.kind == shape::ShapeKind::cone) {
    out.core = Convex::Core::discs;
    out.low = {rim(low.z()), low.z()};
    out.high = {rim(high.z()), high.z()};
    out.faces = {Vec3::UnitZ()};
    if (out.low.radius == out.high.radius) out.edges = {Vec3::UnitZ()};
    return {out};
  }
  if (shape.kind == shape::ShapeKind::capsule) {
    out.radius = high.x();
    out.points = {Vec3(0.0, 0.0, low.z() + out.radius), Vec3(0.0, 0.0, high.z() - out.radius)};
    return {out};
  }
  if (shape.kind == shape::ShapeKind::ellipsoid) {
    out.core = Convex::Core::ellipsoid;
    out.points = {Vec3::Zero()};
    out.semi_axes = high;
    return {out};
  }
  if (shape.kind == shape::ShapeKind::torus) {
    std::vector<Convex> pieces;
    out.core = Convex::Core::arc;
    out.radius = high.z();
    out.ring = high.x() - out.radius;
    out.half = 0.5 * kFullTurn / kArcs;
    for (int i = 0; i < kArcs; ++i) {
      out.middle = (2 * i + 1) * out.half;
      pieces.push_back(out);
    }
    return pieces;
  }
  if (solid->parts.size() > 1)
    if (auto pieces = union_pieces(shape); !pieces.empty()) return pieces;
  return cell_pieces(*solid, shape.bounding_radius);
}

}  // namespace

std::vector<Convex> cell_pieces(const shape::Solid& solid, double size) {
  std::vector<Convex> out;
  for (const PatchCell& cell : cells_of(solid, kCellWidth * size, kCellSwell * size))
    out.push_back(cell_piece(cell));
  return out;
}

std::vector<Convex> convex_pieces(const shape::Shape& shape) {
  std::vector<Convex> out = pieces_of(shape);
  for (Convex& piece : out)
    if (!piece.cell) bound(piece);
  return out;
}

}  // namespace repose::pile
