#include "walls.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "repose/shape/tessellate.h"

#include "nearest.h"

namespace repose::pile {
namespace {

/// Fineness at which curved walls become triangles: chord error over bounding radius. The error is
/// added to the wall as a skin, so that bodies stay clear of the true surface.
constexpr double kWallChord = 1e-4;
/// Wall points this near a cut plane count as cut, as a fraction of `within`: neighbouring
/// triangles of one plane face then leave nothing behind.
constexpr double kCutTolerance = 1e-10;
constexpr int kMaxCells = 128;  // per axis
/// A triangle is left out where its plane is farther away than `within` by more than rounding.
constexpr double kMoreThanRounding = 1.0 + 1e-9;

Vec3 nearest_on_segment(const Vec3& a, const Vec3& b, const Vec3& p) {
  const Vec3 ab = b - a;
  const double length = ab.squaredNorm();
  if (length == 0.0) return a;
  return a + std::clamp((p - a).dot(ab) / length, 0.0, 1.0) * ab;
}

Convex ball_of(double radius) {
  Convex out;
  out.points = {Vec3::Zero()};
  out.radius = out.bound_radius = radius;
  return out;
}

}  // namespace

Vec3 nearest_on_polygon(const std::vector<Vec3>& polygon, const Vec3& p) {
  Vec3 normal = Vec3::Zero();
  for (std::size_t i = 1; i + 1 < polygon.size(); ++i)
    normal += (polygon[i] - polygon[0]).cross(polygon[i + 1] - polygon[0]);
  const double length = normal.norm();
  if (length > 0.0) {
    normal /= length;
    const Vec3 foot = p - normal * normal.dot(p - polygon[0]);
    bool inside = true;
    for (std::size_t i = 0; i < polygon.size() && inside; ++i) {
      const Vec3& a = polygon[i];
      const Vec3& b = polygon[(i + 1) % polygon.size()];
      inside = normal.dot((b - a).cross(foot - a)) >= 0.0;
    }
    if (inside) return foot;
  }
  Vec3 best = polygon[0];
  double best_square = (p - best).squaredNorm();
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec3 q = nearest_on_segment(polygon[i], polygon[(i + 1) % polygon.size()], p);
    const double square = (p - q).squaredNorm();
    if (square < best_square) {
      best = q;
      best_square = square;
    }
  }
  return best;
}

void clip_polygon(std::vector<Vec3>& polygon, const Vec3& point, const Vec3& normal, double depth) {
  std::vector<Vec3> out;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec3& a = polygon[i];
    const Vec3& b = polygon[(i + 1) % polygon.size()];
    const double ha = (a - point).dot(normal) - depth, hb = (b - point).dot(normal) - depth;
    if (ha > 0.0) out.push_back(a);
    if ((ha > 0.0) != (hb > 0.0)) out.push_back(a + (b - a) * (ha / (ha - hb)));
  }
  if (out.size() < 3) out.clear();
  polygon = std::move(out);
}

bool Walls::add(const shape::Shape& shape, const Pose& pose, int body) {
  if (std::holds_alternative<shape::HalfSpace>(shape.geometry)) {
    planes_.push_back({pose.position, pose.turn(Vec3::UnitZ()), body});
    return true;
  }
  if (const auto* ball = std::get_if<shape::Ball>(&shape.geometry)) {
    balls_.push_back({pose.position, ball->radius, body, ball_of(ball->radius)});
    return true;
  }
  const auto add_triangle = [&](const Vec3& a, const Vec3& b, const Vec3& c) {
    triangles_.push_back({{pose * a, pose * b, pose * c}, 0.0, body, {}});
  };
  if (const auto* mesh = std::get_if<shape::TriangleMesh>(&shape.geometry)) {
    for (const auto& t : mesh->triangles)
      add_triangle(mesh->points[t[0]], mesh->points[t[1]], mesh->points[t[2]]);
    return true;
  }
  if (const auto* hull = std::get_if<shape::ConvexPolyhedron>(&shape.geometry)) {
    for (const auto& face : hull->faces)
      for (std::size_t i = 1; i + 1 < face.size(); ++i)
        add_triangle(hull->points[face[0]], hull->points[face[i]], hull->points[face[i + 1]]);
    return true;
  }
  if (!std::holds_alternative<shape::Solid>(shape.geometry)) return false;
  if (shape.kind == shape::ShapeKind::box) {
    const std::vector<Vec3> c =
        convex_pieces(shape)[0].points;  // bit k of the index: side of axis k
    for (const auto& f : {std::array{0, 1, 3, 2}, std::array{4, 5, 7, 6}, std::array{0, 1, 5, 4},
                          std::array{2, 3, 7, 6}, std::array{0, 2, 6, 4}, std::array{1, 3, 7, 5}}) {
      add_triangle(c[f[0]], c[f[1]], c[f[2]]);
      add_triangle(c[f[0]], c[f[2]], c[f[3]]);
    }
    return true;
  }
  shape::TessellateSettings settings;
  settings.chord_fraction = kWallChord;
  const shape::Tessellation mesh = shape::tessellate(shape, settings);
  for (const auto& t : mesh.triangles)
    triangles_.push_back(
        {{pose * mesh.points[t[0]], pose * mesh.points[t[1]], pose * mesh.points[t[2]]},
         mesh.chord_error,
         body,
         {}});
  return true;
}

void Walls::finish(double cell) {
  if (triangles_.empty()) return;
  for (Triangle& t : triangles_) {
    t.set = polygon_piece({t.corner[0], t.corner[1], t.corner[2]});
    t.normal = (t.corner[1] - t.corner[0]).cross(t.corner[2] - t.corner[0]).stableNormalized();
  }
  Vec3 high = triangles_[0].corner[0];
  low_ = high;
  for (const Triangle& t : triangles_)
    for (const Vec3& c : t.corner) {
      low_ = low_.cwiseMin(c);
      high = high.cwiseMax(c);
    }
  cell_ = std::max(cell, (high - low_).maxCoeff() / kMaxCells);
  for (int i = 0; i < 3; ++i) cells_[i] = 1 + static_cast<int>((high[i] - low_[i]) / cell_);
  // each triangle into the cells its box meets
  std::vector<std::pair<int, int>> entries;
  for (std::size_t n = 0; n < triangles_.size(); ++n) {
    const auto& c = triangles_[n].corner;
    const Vec3 from = (c[0].cwiseMin(c[1]).cwiseMin(c[2]) - low_) / cell_;
    const Vec3 to = (c[0].cwiseMax(c[1]).cwiseMax(c[2]) - low_) / cell_;
    for (int x = static_cast<int>(from.x()); x <= std::min(cells_[0] - 1, static_cast<int>(to.x()));
         ++x)
      for (int y = static_cast<int>(from.y());
           y <= std::min(cells_[1] - 1, static_cast<int>(to.y())); ++y)
        for (int z = static_cast<int>(from.z());
             z <= std::min(cells_[2] - 1, static_cast<int>(to.z())); ++z)
          entries.emplace_back((z * cells_[1] + y) * cells_[0] + x, static_cast<int>(n));
  }
  std::sort(entries.begin(), entries.end());
  cell_start_.assign(static_cast<std::size_t>(cells_[0]) * cells_[1] * cells_[2] + 1, 0);
  for (const auto& [at, triangle] : entries) {
    ++cell_start_[at + 1];
    cell_triangle_.push_back(triangle);
  }
  for (std::size_t i = 1; i < cell_start_.size(); ++i) cell_start_[i] += cell_start_[i - 1];
}

void Walls::near_triangles(const Vec3& center, double within, std::vector<int>& out) const {
  out.clear();
  std::array<int, 3> from{}, to{};
  for (int i = 0; i < 3; ++i) {
    from[i] = std::max(0, static_cast<int>(std::floor((center[i] - within - low_[i]) / cell_)));
    to[i] = std::min(cells_[i] - 1,
                     static_cast<int>(std::floor((center[i] + within - low_[i]) / cell_)));
  }
  // each once, in order
  thread_local std::vector<std::uint32_t> taken;
  thread_local std::uint32_t query = 0;
  if (taken.size() < triangles_.size()) taken.resize(triangles_.size(), 0);
  if (++query == 0) {
    std::fill(taken.begin(), taken.end(), 0);
    query = 1;
  }
  for (int z = from[2]; z <= to[2]; ++z)
    for (int y = from[1]; y <= to[1]; ++y)
      for (int x = from[0]; x <= to[0]; ++x) {
        const int at = (z * cells_[1] + y) * cells_[0] + x;
        for (int e = cell_start_[at]; e < cell_start_[at + 1]; ++e)
          if (std::exchange(taken[cell_triangle_[e]], query) != query)
            out.push_back(cell_triangle_[e]);
      }
  std::sort(out.begin(), out.end());
}

void Walls::cut_triangles(const Vec3& center, double within, std::vector<Cut>& cuts) const {
  struct Piece {
    std::vector<Vec3> polygon;
    Vec3 nearest;
    double square;
    int triangle;
  };
  thread_local std::vector<int> near;
  near_triangles(center, within, near);
  std::vector<Piece> pieces;
  for (const int n : near) {
    const Triangle& t = triangles_[n];
    const double height = std::fabs(t.normal.dot(center - t.corner[0]));
    if (height > kMoreThanRounding * (within + t.skin)) continue;
    Piece piece{{t.corner[0], t.corner[1], t.corner[2]}, Vec3::Zero(), 0.0, n};
    piece.nearest = nearest_on_polygon(piece.polygon, center);
    piece.square = (piece.nearest - center).squaredNorm();
    const double far = within + t.skin;
    if (piece.square <= far * far) pieces.push_back(std::move(piece));
  }
  while (!pieces.empty()) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < pieces.size(); ++i)
      if (pieces[i].square < pieces[best].square) best = i;
    const double distance = std::sqrt(pieces[best].square);
    if (distance == 0.0) return;  // the centre lies on the wall: check_start has refused that
    const Triangle& t = triangles_[pieces[best].triangle];
    const Vec3 point = pieces[best].nearest, normal = (center - point) / distance;
    cuts.push_back({point, normal, t.skin, t.body});
    std::vector<Piece> left;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      Piece& piece = pieces[i];
      if (i == best) {
        // the nearest point of a convex piece has all of the piece behind it
        continue;
      }
      clip_polygon(piece.polygon, point, normal, kCutTolerance * within);
      if (piece.polygon.empty()) continue;
      piece.nearest = nearest_on_polygon(piece.polygon, center);
      piece.square = (piece.nearest - center).squaredNorm();
      const double far = within + triangles_[piece.triangle].skin;
      if (piece.square <= far * far) left.push_back(std::move(piece));
    }
    pieces = std::move(left);
  }
}

void Walls::cut(const Vec3& center, double within, std::vector<Cut>& cuts) const {
  for (const Plane& plane : planes_) {
    const double height = (center - plane.point).dot(plane.normal);
    if (height <= within)
      cuts.push_back({center - height * plane.normal, plane.normal, 0.0, plane.body, true});
  }
  for (const FixedBall& ball : balls_) {
    const Vec3 apart = center - ball.center;
    const double distance = apart.norm();
    if (distance > ball.radius + within || distance == 0.0) continue;
    const Vec3 normal = apart / distance;
    cuts.push_back({ball.center + ball.radius * normal, normal, 0.0, ball.body});
  }
  if (!triangles_.empty()) cut_triangles(center, within, cuts);
}

// parts are numbered: planes, then balls, then triangles

void Walls::touch(const Convex& set, const Pose& pose, const Vec3& center, double radius,
                  double within, double tilt, std::vector<WallTouch>& out) const {
  thread_local std::vector<TouchPoint> points;
  thread_local std::vector<int> near;
  const auto take = [&](double skin, int part, int body) {
    for (TouchPoint& t : points) {
      t.gap -= skin;
      out.push_back({t, skin, part, body});
    }
    points.clear();
  };
  points.clear();
  int part = 0;
  for (const Plane& plane : planes_) {
    if ((center - plane.point).dot(plane.normal) <= radius + within)
      find_plane_points(plane.point, plane.normal, set, pose, within, points);
    take(0.0, part++, plane.body);
  }
  for (const FixedBall& ball : balls_) {
    if ((center - ball.center).norm() <= radius + ball.radius + within)
      find_touch_points(ball.set, {ball.center, Quat::Identity()}, set, pose, within, tilt, points);
    take(0.0, part++, ball.body);
  }
  if (triangles_.empty()) return;
  near_triangles(center, radius + within, near);
  for (const int n : near) {
    const Triangle& t = triangles_[n];
    const double far = radius + within + t.skin + t.set.bound_radius;
    if ((center - t.set.bound_center).squaredNorm() > far * far) continue;
    find_touch_points(t.set, {}, set, pose, within + t.skin, tilt, points);
    take(t.skin, part + n, t.body);
  }
}

const Convex* Walls::part_set(int part) const {
  std::size_t n = static_cast<std::size_t>(part);
  if (n < planes_.size()) return nullptr;
  n -= planes_.size();
  return n < balls_.size() ? &balls_[n].set : &triangles_[n - balls_.size()].set;
}

Nearest Walls::nearest_to(int part, const Convex& set, const Pose& pose) const {
  std::size_t n = static_cast<std::size_t>(part);
  if (n < planes_.size()) {
    Nearest out;
    out.apart = true;
    out.normal = planes_[n].normal;
    out.gap = height_above(planes_[n].point, planes_[n].normal, set, pose);
    out.point_b = pose * set.support(pose.rotation.conjugate() * Vec3(-out.normal));
    out.point_a = out.point_b - (out.gap + set.radius) * out.normal;
    return out;
  }
  n -= planes_.size();
  if (n < balls_.size())
    return nearest_of(balls_[n].set, {balls_[n].center, Quat::Identity()}, set, pose);
  const Triangle& t = triangles_[n - balls_.size()];
  Nearest out = nearest_of(t.set, {}, set, pose);
  out.gap -= t.skin;
  return out;
}

bool Walls::stays_off(int part, const Convex& set, const Way& way, const Vec3& normal,
                      double least) const {
  std::size_t n = static_cast<std::size_t>(part);
  if (n < planes_.size()) return stays_above(planes_[n].point, planes_[n].normal, set, way, least);
  n -= planes_.size();
  if (n < balls_.size()) {
    Way still;
    still.from.position = balls_[n].center;
    return stay_apart(balls_[n].set, still, set, way, normal, least);
  }
  const Triangle& t = triangles_[n - balls_.size()];
  return stay_apart(t.set, Way{}, set, way, normal, least + t.skin);
}

}  // namespace repose::pile
