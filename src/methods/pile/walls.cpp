#include "walls.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "nearest.h"

namespace repose::pile {
namespace {

/// Search cells are this many mean radii wide; cells of curved walls at most this, and hold no more
/// than that beyond the surface.
constexpr double kSearchCell = 2.0;
constexpr double kCellWidth = 0.8, kCellSwell = 0.02;
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

/// The point of a triangle nearest to p, by the region of its plane that p lies over (Ericson 2005,
/// section 5.1.5).
Vec3 nearest_on_triangle(const std::array<Vec3, 3>& corner, const Vec3& p) {
  const Vec3 &a = corner[0], &b = corner[1], &c = corner[2];
  const Vec3 ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
  const double d1 = ab.dot(ap), d2 = ac.dot(ap), d3 = ab.dot(bp), d4 = ac.dot(bp), d5 = ab.dot(cp),
               d6 = ac.dot(cp);
  const double over_a = d3 * d6 - d5 * d4, over_b = d5 * d2 - d1 * d6, over_c = d1 * d4 - d3 * d2;
  const double sum = over_a + over_b + over_c;
  if (over_a > 0.0 && over_b > 0.0 && over_c > 0.0 && sum > 0.0)
    return a + (over_b * ab + over_c * ac) / sum;
  Vec3 best = nearest_on_segment(a, b, p);
  for (const Vec3& q : {nearest_on_segment(b, c, p), nearest_on_segment(c, a, p)})
    if ((q - p).squaredNorm() < (best - p).squaredNorm()) best = q;
  return best;
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
    triangles_.push_back({{pose * a, pose * b, pose * c}, body, {}});
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
  const auto* solid = std::get_if<shape::Solid>(&shape.geometry);
  if (solid == nullptr) return false;
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
  to_cut_.push_back({*solid, pose, body});
  return true;
}

bool Walls::finish(double radius, int& unbound) {
  for (const Curved& wall : to_cut_) {
    const auto cells = cells_of(wall.solid, kCellWidth * radius, kCellSwell * radius);
    unbound = wall.body;
    if (cells.empty()) return false;
    for (const PatchCell& cell : cells) cells_.push_back({cell_piece(cell), wall.pose, wall.body});
  }
  to_cut_.clear();
  for (Triangle& t : triangles_) {
    t.set = polygon_piece({t.corner[0], t.corner[1], t.corner[2]});
    t.normal = (t.corner[1] - t.corner[0]).cross(t.corner[2] - t.corner[0]).stableNormalized();
  }
  fill_grid(kSearchCell * radius);
  return true;
}

void Walls::box_of(std::size_t entry, Vec3& low, Vec3& high) const {
  if (entry < triangles_.size()) {
    const auto& c = triangles_[entry].corner;
    low = c[0].cwiseMin(c[1]).cwiseMin(c[2]);
    high = c[0].cwiseMax(c[1]).cwiseMax(c[2]);
    return;
  }
  const Cell& cell = cells_[entry - triangles_.size()];
  const Vec3 center = cell.pose * cell.set.bound_center;
  low = center - Vec3::Constant(cell.set.bound_radius);
  high = center + Vec3::Constant(cell.set.bound_radius);
}

void Walls::fill_grid(double cell) {
  const std::size_t count = triangles_.size() + cells_.size();
  if (count == 0) return;
  Vec3 from, to, high;
  box_of(0, low_, high);
  for (std::size_t n = 1; n < count; ++n) {
    box_of(n, from, to);
    low_ = low_.cwiseMin(from);
    high = high.cwiseMax(to);
  }
  cell_ = std::max(cell, (high - low_).maxCoeff() / kMaxCells);
  for (int i = 0; i < 3; ++i) cells_along_[i] = 1 + static_cast<int>((high[i] - low_[i]) / cell_);
  // each into the search cells its box meets
  std::vector<std::pair<int, int>> entries;
  for (std::size_t n = 0; n < count; ++n) {
    box_of(n, from, to);
    from = (from - low_) / cell_;
    to = (to - low_) / cell_;
    const auto last = [&](int k) { return std::min(cells_along_[k] - 1, static_cast<int>(to[k])); };
    for (int x = static_cast<int>(from.x()); x <= last(0); ++x)
      for (int y = static_cast<int>(from.y()); y <= last(1); ++y)
        for (int z = static_cast<int>(from.z()); z <= last(2); ++z)
          entries.emplace_back((z * cells_along_[1] + y) * cells_along_[0] + x,
                               static_cast<int>(n));
  }
  std::sort(entries.begin(), entries.end());
  cell_start_.assign(
      static_cast<std::size_t>(cells_along_[0]) * cells_along_[1] * cells_along_[2] + 1, 0);
  for (const auto& [at, entry] : entries) {
    ++cell_start_[at + 1];
    cell_entry_.push_back(entry);
  }
  for (std::size_t i = 1; i < cell_start_.size(); ++i) cell_start_[i] += cell_start_[i - 1];
}

void Walls::near_entries(const Vec3& center, double within, std::vector<int>& out) const {
  out.clear();
  std::array<int, 3> from{}, to{};
  for (int i = 0; i < 3; ++i) {
    from[i] = std::max(0, static_cast<int>(std::floor((center[i] - within - low_[i]) / cell_)));
    to[i] = std::min(cells_along_[i] - 1,
                     static_cast<int>(std::floor((center[i] + within - low_[i]) / cell_)));
  }
  // each once, in order
  thread_local std::vector<std::uint32_t> taken;
  thread_local std::uint32_t query = 0;
  const std::size_t count = triangles_.size() + cells_.size();
  if (taken.size() < count) taken.resize(count, 0);
  if (++query == 0) {
    std::fill(taken.begin(), taken.end(), 0);
    query = 1;
  }
  for (int z = from[2]; z <= to[2]; ++z)
    for (int y = from[1]; y <= to[1]; ++y)
      for (int x = from[0]; x <= to[0]; ++x) {
        const int at = (z * cells_along_[1] + y) * cells_along_[0] + x;
        for (int e = cell_start_[at]; e < cell_start_[at + 1]; ++e)
          if (std::exchange(taken[cell_entry_[e]], query) != query) out.push_back(cell_entry_[e]);
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
  near_entries(center, within, near);
  std::vector<Piece> pieces;
  for (const int n : near) {
    if (n >= static_cast<int>(triangles_.size())) break;
    const Triangle& t = triangles_[n];
    const double height = std::fabs(t.normal.dot(center - t.corner[0]));
    if (height > kMoreThanRounding * within) continue;
    Piece piece{{t.corner[0], t.corner[1], t.corner[2]}, Vec3::Zero(), 0.0, n};
    piece.nearest = nearest_on_polygon(piece.polygon, center);
    piece.square = (piece.nearest - center).squaredNorm();
    if (piece.square <= within * within) pieces.push_back(std::move(piece));
  }
  while (!pieces.empty()) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < pieces.size(); ++i)
      if (pieces[i].square < pieces[best].square) best = i;
    const double distance = std::sqrt(pieces[best].square);
    if (distance == 0.0) return;  // the centre lies on the wall: check_start has refused that
    const Triangle& t = triangles_[pieces[best].triangle];
    const Vec3 point = pieces[best].nearest, normal = (center - point) / distance;
    cuts.push_back({point, normal, t.body});
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
      if (piece.square <= within * within) left.push_back(std::move(piece));
    }
    pieces = std::move(left);
  }
}

void Walls::cut(const Vec3& center, double within, std::vector<Cut>& cuts) const {
  for (const Plane& plane : planes_) {
    const double height = (center - plane.point).dot(plane.normal);
    if (height <= within)
      cuts.push_back({center - height * plane.normal, plane.normal, plane.body, true});
  }
  for (const FixedBall& ball : balls_) {
    const Vec3 apart = center - ball.center;
    const double distance = apart.norm();
    if (distance > ball.radius + within || distance == 0.0) continue;
    const Vec3 normal = apart / distance;
    cuts.push_back({ball.center + ball.radius * normal, normal, ball.body});
  }
  if (!triangles_.empty()) cut_triangles(center, within, cuts);
}

void Walls::parts_near(const Vec3& center, double within, std::vector<int>& out) const {
  out.clear();
  for (std::size_t n = 0; n < planes_.size(); ++n)
    if ((center - planes_[n].point).dot(planes_[n].normal) <= within)
      out.push_back(static_cast<int>(n));
  const int first_ball = static_cast<int>(planes_.size());
  for (std::size_t n = 0; n < balls_.size(); ++n)
    if ((center - balls_[n].center).norm() <= balls_[n].radius + within)
      out.push_back(first_ball + static_cast<int>(n));
  if (triangles_.empty() && cells_.empty()) return;
  const int first_triangle = first_ball + static_cast<int>(balls_.size());
  thread_local std::vector<int> near;
  near_entries(center, within, near);
  for (const int n : near) {
    const bool is_triangle = n < static_cast<int>(triangles_.size());
    const Convex& set = is_triangle ? triangles_[n].set : cells_[n - triangles_.size()].set;
    const Pose pose = is_triangle ? Pose{} : cells_[n - triangles_.size()].pose;
    const double far = within + set.bound_radius;
    if ((center - pose * set.bound_center).squaredNorm() > far * far) continue;
    out.push_back(first_triangle + n);
  }
}

bool Walls::out_of_reach(int part, const Vec3& center, double reach) const {
  if (static_cast<std::size_t>(part) < planes_.size() + balls_.size()) return false;
  Pose pose;
  const Convex* set = part_set(part, pose);
  const double far = reach + set->bound_radius;
  return (center - pose * set->bound_center).squaredNorm() > far * far;
}

int Walls::body_of(int part) const {
  std::size_t n = static_cast<std::size_t>(part);
  if (is_cell(part)) return cells_[n - static_cast<std::size_t>(first_cell())].body;
  if (n < planes_.size()) return planes_[n].body;
  n -= planes_.size();
  return n < balls_.size() ? balls_[n].body : triangles_[n - balls_.size()].body;
}

TouchPoint Walls::touch_of_ball(int part, const Vec3& center, double radius) const {
  std::size_t n = static_cast<std::size_t>(part);
  const auto from = [&](const Vec3& point) {  // the nearest one of the part
    const double distance = (center - point).norm();
    const Vec3 normal = distance > 0.0 ? Vec3((center - point) / distance) : Vec3(Vec3::UnitZ());
    const double gap = distance - radius;
    return TouchPoint{point + 0.5 * gap * normal, normal, gap};
  };
  if (is_cell(part)) {
    const Cell& cell = cells_[n - static_cast<std::size_t>(first_cell())];
    const Nearest hulls =
        nearest_of_hulls(cell.set, cell.pose, ball_of(radius), {center, Quat::Identity()});
    const double swell = cell.set.cell->flat.isZero() ? cell.set.cell->swell() : 0.0;
    if (!hulls.apart) return {center, hulls.normal, -std::numeric_limits<double>::infinity()};
    return {hulls.point_a + 0.5 * hulls.gap * hulls.normal, hulls.normal, hulls.gap - swell};
  }
  if (n < planes_.size()) {
    const double gap = (center - planes_[n].point).dot(planes_[n].normal) - radius;
    return {center - (radius + 0.5 * gap) * planes_[n].normal, planes_[n].normal, gap};
  }
  n -= planes_.size();
  if (n < balls_.size()) {
    const Vec3 apart = center - balls_[n].center;
    const double distance = apart.norm();
    const Vec3 normal = distance > 0.0 ? Vec3(apart / distance) : Vec3(Vec3::UnitZ());
    const double gap = distance - balls_[n].radius - radius;
    return {center - (radius + 0.5 * gap) * normal, normal, gap};
  }
  return from(nearest_on_triangle(triangles_[n - balls_.size()].corner, center));
}

void Walls::touch(int part, const Convex& set, const Pose& pose, double within, double tilt,
                  std::vector<TouchPoint>& out) const {
  const std::size_t n = static_cast<std::size_t>(part);
  if (n < planes_.size())
    return find_plane_points(planes_[n].point, planes_[n].normal, set, pose, within, tilt, out);
  Pose there;
  const Convex* wall = part_set(part, there);
  find_touch_points(*wall, there, set, pose, within, tilt, out);
}

const Convex* Walls::part_set(int part, Pose& pose) const {
  pose = Pose{};
  if (is_cell(part)) {
    const Cell& cell = cells_[static_cast<std::size_t>(part - first_cell())];
    pose = cell.pose;
    return &cell.set;
  }
  std::size_t n = static_cast<std::size_t>(part);
  if (n < planes_.size()) return nullptr;
  n -= planes_.size();
  if (n >= balls_.size()) return &triangles_[n - balls_.size()].set;
  pose.position = balls_[n].center;
  return &balls_[n].set;
}

Nearest Walls::nearest_to(int part, const Convex& set, const Pose& pose) const {
  const std::size_t n = static_cast<std::size_t>(part);
  if (n < planes_.size()) {
    Nearest out;
    out.apart = true;
    out.normal = planes_[n].normal;
    const Vec3 down = pose.rotation.conjugate() * Vec3(-out.normal);
    out.point_b = pose * (set.cell ? lowest_on_cell(*set.cell, -down).point : set.support(down));
    out.gap = set.cell ? out.normal.dot(out.point_b - planes_[n].point)
                       : height_above(planes_[n].point, planes_[n].normal, set, pose);
    out.point_a = out.point_b - (out.gap + set.radius) * out.normal;
    return out;
  }
  Pose there;
  const Convex* wall = part_set(part, there);
  return nearest_of(*wall, there, set, pose);
}

bool Walls::stays_off(int part, const Convex& set, const Way& way, const Vec3& normal,
                      double least) const {
  const std::size_t n = static_cast<std::size_t>(part);
  if (n < planes_.size()) return stays_above(planes_[n].point, planes_[n].normal, set, way, least);
  Way still;
  const Convex* wall = part_set(part, still.from);
  return stay_apart(*wall, still, set, way, normal, least);
}

}  // namespace repose::pile
