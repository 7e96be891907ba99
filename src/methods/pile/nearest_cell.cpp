#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "bend.h"
#include "nearest.h"
#include "nearest_cell_pair.h"

namespace repose::pile {
namespace {

/// Newton's method on a cell: steps, halvings of each, and where it ends, of the cell's measures.
constexpr int kSteps = 40;
constexpr int kHalvings = 10;
constexpr double kEnd = 1e-13;
/// Curvature that a step is given at least, over the squared measure of the cell per metre.
constexpr double kLeastCurvature = 1e-6;
/// Sine between two normals that are one.
constexpr double kSameNormal = 1e-6;
/// Distances (m) that differ by less than this share of the cell's size are one.
constexpr double kSame = 1e-16;

/// A point lies on an edge within this share of the cell's size; edges nearer to the surface than
/// that share are looked at on their own, in steps of at most that share.
constexpr double kOnEdge = 1e-3, kNearEdge = 1e-2, kLongestSlide = 0.3;
constexpr double kSquare = 1e-3;  // sine; a way that leans less to the normal is one to a foot
constexpr double kHalfTurn = 3.141592653589793;

/// A way's direction (unit, world) from or to the cell's place: that of the surface's normal where
/// the two are one but for what rounding leaves of a short way.
Vec3 without_rounding(const PatchCell& cell, const Pose& pose, const Vec2& uv, const Vec3& way) {
  if (cell.ends(uv)) return way;
  const Vec3 own = pose.turn(cell.flat.isZero() ? cell.patch->normal(uv[0], uv[1]) : cell.flat);
  if (own.cross(way).norm() > kSameNormal) return way;
  return own.dot(way) < 0.0 ? Vec3(-own) : own;
}

/// A place of the cell with the nearest point of the other set's core.
struct Place {
  Vec2 uv = Vec2::Zero();
  double distance = 0.0;        // m
  Vec3 on_cell, on_other;       // world
  Vec3 normal = Vec3::UnitZ();  // unit, from the other set
};

/// A sharp edge of a convex set, in its frame: a rim, c(t) at the angle t, or a straight one.
struct Edge {
  Vec3 middle = Vec3::Zero(), way = Vec3::Zero();  // m; of a straight one: c = middle + t way
  double radius = 0.0;                             // m; of a rim about z
  double start = 0.0;                              // t of the point asked for
  double from = 0.0, to = 0.0;

  /// c, its first and its second derivative.
  std::array<Vec3, 3> at(double t) const {
    if (radius == 0.0) return {middle + t * way, way, Vec3::Zero()};
    const Vec3 out(radius * std::cos(t), radius * std::sin(t), 0.0);
    return {middle + out, Vec3(-out.y(), out.x(), 0.0), -out};
  }
};

/// Sharp edges of a set (its frame) that pass p within `near` (m), each from where it does; rims
/// always.
std::vector<Edge> edges_at(const Convex& set, const Vec3& p, double near) {
  std::vector<Edge> out;
  if (set.radius > 0.0) return out;  // round
  if (set.core == Convex::Core::discs)
    for (const Convex::Disc& disc : {set.low, set.high}) {
      if (!(disc.radius > 0.0)) continue;
      Edge rim{Vec3(0.0, 0.0, disc.height), Vec3::Zero(), disc.radius, std::atan2(p.y(), p.x())};
      rim.from = rim.start - kHalfTurn;
      rim.to = rim.start + kHalfTurn;
      out.push_back(rim);
    }
  if (set.core != Convex::Core::points) return out;
  for (std::size_t i = 0; i < set.points.size(); ++i)
    for (std::size_t j = i + 1; j < set.points.size(); ++j) {
      const Vec3 way = set.points[j] - set.points[i];
      const double t = (p - set.points[i]).dot(way) / way.squaredNorm();
      if (!(t >= 0.0 && t <= 1.0) || (set.points[i] + t * way - p).norm() > near) continue;
      const bool edge = std::any_of(set.edges.begin(), set.edges.end(), [&](const Vec3& e) {
        return e.cross(way).norm() <= kSameNormal * way.norm();
      });
      if (edge) out.push_back({set.points[i], way, 0.0, t, 0.0, 1.0});
    }
  return out;
}

/// The place of a cell that is nearest to another set, no cell: Newton's method on the distance of
/// its points, which is smooth where the other set is, and on its square, which is at corners.
class CellSearch {
 public:
  CellSearch(const Convex& cell, const Pose& pose, const Convex& other, const Pose& pose_other,
             const Vec2* first)
      : cell_(*cell.cell), pose_(pose), other_(other), pose_other_(pose_other) {
    size_ = cell.bound_radius;
    turn_ = pose.rotation.toRotationMatrix();
    best_ = look(cell_.box.center());
    const auto try_at = [&](const Vec2& start) {
      const Place there = look(start);
      if (there.distance < best_.distance) best_ = there;
    };
    for (const Vec2& start : starts()) try_at(start);
    if (first != nullptr) try_at(*first);
    descend();
    if (best_.distance > kNearEdge * size_) return;
    slide_from(best_.on_other);
    if (first != nullptr) slide_from(pose_ * cell_.patch->point((*first)[0], (*first)[1]));
  }
  const Place& best() const { return best_; }
  Vec3 normal() const { return without_rounding(cell_, pose_, best_.uv, best_.normal); }
  /// The nearest place is one of the cells alone.
  bool passes() const { return passes_on(cell_, best_.uv, turn_.transpose() * best_.normal); }

 private:
  /// The cell's point above the other set's middle, as if it were flat, and its corners.
  std::array<Vec2, 5> starts() const {
    const shape::UvBox& b = cell_.box;
    const auto& c = cell_.corner;
    const Vec3 p = pose_.inverse() * (pose_other_ * other_.bound_center) - c[0];
    const Vec3 along_u = c[1] - c[0], along_v = c[2] - c[0];
    const auto share = [&](const Vec3& along) {
      const double square = along.squaredNorm();
      return square > 0.0 ? std::clamp(p.dot(along) / square, 0.0, 1.0) : 0.5;
    };
    return {Vec2(b.u0 + share(along_u) * (b.u1 - b.u0), b.v0 + share(along_v) * (b.v1 - b.v0)),
            Vec2(b.u0, b.v0), Vec2(b.u1, b.v0), Vec2(b.u0, b.v1), Vec2(b.u1, b.v1)};
  }
  Place look(const Vec2& uv) {
    Place out;
    out.uv = uv;
    out.on_cell = pose_ * cell_.patch->point(uv[0], uv[1]);
    out.on_other = nearest_point(other_, pose_other_, out.on_cell);
    const Vec3 apart = out.on_cell - out.on_other;
    out.distance = apart.norm();
    if (out.distance > 0.0) out.normal = apart / out.distance;
    return out;
  }
  /// The second derivative of the distance from the other set, across the normal.
  Mat3 distance_bend(const Place& at) const {
    const Vec3& n = at.normal;
    const Vec3 e = n.unitOrthogonal(), f = n.cross(e);
    Eigen::Matrix<double, 2, 3> flat;
    flat << e.transpose(), f.transpose();
    Convex core = other_;
    core.radius = 0.0;
    Mat2 radii = flat * bend_in_world(core, pose_other_, n, at.on_cell) * flat.transpose();
    radii += at.distance * Mat2::Identity();
    if (!(std::fabs(radii.determinant()) > 0.0)) return Mat3::Zero();
    return flat.transpose() * radii.inverse() * flat;
  }
  /// Takes a step of Newton's method, shortened until it leads nearer; answers the share taken, 0
  /// where none leads nearer.
  double step(const Vec2& slope, const Mat2& bend, const std::array<bool, 2>& held,
              const Vec2& measure) {
    Mat2 m = bend;
    Vec2 g = slope;
    for (int k = 0; k < 2; ++k)
      if (held[k] || !(measure[k] > 0.0)) {
        m(0, 1) = m(1, 0) = 0.0;
        m(k, k) = 1.0;
        g[k] = 0.0;
      }
    // raised until it has a least
    double lift = 0.0;
    const Vec2 unit = (measure.cwiseProduct(measure) / size_).cwiseMax(kLeastCurvature * size_);
    for (int n = 0; n < kHalvings && !(m(0, 0) > 0.0 && m.determinant() > 0.0); ++n) {
      lift = lift > 0.0 ? 8.0 * lift : kLeastCurvature;
      for (int k = 0; k < 2; ++k) m(k, k) += lift * unit[k];
    }
    if (!(m(0, 0) > 0.0 && m.determinant() > 0.0)) m = unit.asDiagonal();
    const Vec2 way = -m.inverse() * g;
    const shape::UvBox& b = cell_.box;
    double share = 1.0;
    for (int half = 0; half < kHalvings; ++half, share *= 0.5) {
      const Vec2 to(std::clamp(best_.uv[0] + share * way[0], b.u0, b.u1),
                    std::clamp(best_.uv[1] + share * way[1], b.v0, b.v1));
      if (((to - best_.uv).cwiseAbs().cwiseProduct(measure).array() <= kEnd * size_).all())
        return 0.0;
      const Place there = look(to);
      if (!(there.distance < best_.distance - kSame * size_)) continue;
      best_ = there;
      return share;
    }
    return 0.0;
  }
  void descend() {
    const shape::UvBox& b = cell_.box;
    for (int n = 0; n < kSteps && best_.distance > 0.0; ++n) {
      const shape::PatchJet j = cell_.patch->jet(best_.uv[0], best_.uv[1]);
      const Vec3 normal = turn_.transpose() * best_.normal;
      const Vec2 slope(normal.dot(j.su), normal.dot(j.sv));
      std::array<bool, 2> held{};
      for (int k = 0; k < 2; ++k)
        held[k] = (best_.uv[k] <= (k == 0 ? b.u0 : b.v0) && slope[k] >= 0.0) ||
                  (best_.uv[k] >= (k == 0 ? b.u1 : b.v1) && slope[k] <= 0.0);
      if (held[0] && held[1]) return;
      Eigen::Matrix<double, 3, 2> tangents;
      tangents << j.su, j.sv;
      const Mat3 across = turn_.transpose() * distance_bend(best_) * turn_;
      Mat2 bend = tangents.transpose() * across * tangents;
      bend(0, 0) += normal.dot(j.suu);
      bend(1, 1) += normal.dot(j.svv);
      bend(0, 1) += normal.dot(j.suv);
      bend(1, 0) = bend(0, 1);
      const Vec2 measure(j.su.norm(), j.sv.norm());
      const Place before = best_;
      const double smooth = step(slope, bend, held, measure);
      if (smooth == 1.0) continue;
      const Place by_distance = best_;
      best_ = before;
      const double cornered =
          step(before.distance * slope, before.distance * bend + slope * slope.transpose(), held,
               measure);
      if (by_distance.distance < best_.distance) best_ = by_distance;
      if (smooth == 0.0 && cornered == 0.0) return;
    }
  }

  /// Where an edge is nearly on the surface, the distance is a narrow bent valley over the surface;
  /// over the edge it is smooth: looks for the nearest place of each edge near a point (world).
  void slide_from(const Vec3& point) {
    for (const Edge& e : edges_at(other_, pose_other_.inverse() * point, kOnEdge * size_)) slide(e);
  }
  /// Newton's method on where on the edge.
  void slide(const Edge& edge) {
    const Pose to_cell = pose_.inverse() * pose_other_;
    double t = edge.start;
    Place here = foot_of(to_cell, edge.at(t)[0], best_.uv);
    for (int n = 0; n < kSteps && here.distance > 0.0; ++n) {
      const auto c = edge.at(t);
      const Vec3 along = to_cell.turn(c[1]);
      const double size = along.norm();
      // of a foot at a side the way itself is the normal
      Vec3 normal = -(turn_.transpose() * here.normal);
      const Vec3 own =
          cell_.flat.isZero() ? cell_.patch->normal(here.uv[0], here.uv[1]) : cell_.flat;
      const bool inside = own.cross(normal).norm() <= kSquare;
      if (inside) normal = own.dot(normal) < 0.0 ? Vec3(-own) : own;
      const double slope = normal.dot(along);
      const double bend =
          normal.dot(to_cell.turn(c[2])) +
          (inside ? rise(here.uv, normal, along) : (size * size - slope * slope) / here.distance);
      const double longest = kLongestSlide * size_ / size;
      double way = bend > 0.0 ? -slope / bend : (slope > 0.0 ? -longest : longest);
      way = std::clamp(way, -longest, longest);
      bool nearer = false;
      for (int half = 0; half < kHalvings && !nearer; ++half, way *= 0.5) {
        const double next = std::clamp(t + way, edge.from, edge.to);
        const Place there = foot_of(to_cell, edge.at(next)[0], here.uv);
        nearer = there.distance < here.distance;
        if (!nearer) continue;
        t = next;
        here = there;
      }
      if (!nearer || std::fabs(way) * size <= kEnd * size_) break;
    }
    if (here.distance > 0.0 && here.distance < best_.distance) best_ = here;
  }
  /// The second derivative of the height above the surface along a direction, m per its square.
  double rise(const Vec2& uv, const Vec3& normal, const Vec3& along) const {
    if (!cell_.flat.isZero()) return 0.0;
    const shape::PatchJet j = cell_.patch->jet(uv[0], uv[1]);
    Mat2 metric;
    metric << j.su.dot(j.su), j.su.dot(j.sv), j.su.dot(j.sv), j.sv.dot(j.sv);
    if (!(metric.determinant() > 0.0)) return 0.0;
    const Vec2 d = metric.inverse() * Vec2(j.su.dot(along), j.sv.dot(along));
    return -normal.dot(d[0] * d[0] * j.suu + 2.0 * d[0] * d[1] * j.suv + d[1] * d[1] * j.svv);
  }
  /// A point of the other set (its frame) and its foot.
  Place foot_of(const Pose& to_cell, const Vec3& point, const Vec2& start) const {
    const Vec3 p = to_cell * point;
    const CellFoot foot = foot_on_cell(cell_, p, start);
    Place out;
    out.uv = foot.uv;
    out.on_cell = pose_ * foot.point;
    out.on_other = pose_other_ * point;
    const Vec3 apart = pose_.turn(foot.point - p);
    out.distance = apart.norm();
    if (out.distance > 0.0) out.normal = apart / out.distance;
    return out;
  }

  const PatchCell& cell_;
  const Pose& pose_;
  const Convex& other_;
  const Pose& pose_other_;
  double size_ = 0.0;
  Mat3 turn_ = Mat3::Identity();
  Place best_;
};

}  // namespace

namespace {

Nearest nearest_of_cells(const Convex& a, const Pose& pose_a, const Convex& b, const Pose& pose_b) {
  const CellPair pair = nearest_cell_pair(a, pose_a, b, pose_b);
  Nearest out;
  out.point_a = pair.on_a;
  out.point_b = pair.on_b;
  out.apart = pair.distance > 0.0;
  if (!out.apart) return out;
  out.normal = without_rounding(*a.cell, pose_a, pair.uv_a, -pair.normal);
  out.gap = pair.distance - a.radius - b.radius;
  out.passes = passes_on(*a.cell, pair.uv_a, pose_a.inverse().turn(pair.normal)) ||
               passes_on(*b.cell, pair.uv_b, pose_b.inverse().turn(pair.normal));
  return out;
}

}  // namespace

Nearest nearest_on_cells(const Convex& a, const Pose& pose_a, const Convex& b, const Pose& pose_b,
                         const Vec2* start) {
  if (a.cell && b.cell) return nearest_of_cells(a, pose_a, b, pose_b);
  const bool on_a = a.cell != nullptr;
  const CellSearch search(on_a ? a : b, on_a ? pose_a : pose_b, on_a ? b : a,
                          on_a ? pose_b : pose_a, start);
  const Place& place = search.best();
  Nearest out;
  out.point_a = on_a ? place.on_cell : place.on_other;
  out.point_b = on_a ? place.on_other : place.on_cell;
  out.apart = place.distance > 0.0;
  if (!out.apart) return out;
  out.normal = on_a ? Vec3(-search.normal()) : search.normal();
  out.gap = place.distance - a.radius - b.radius;
  out.passes = search.passes();
  return out;
}

}  // namespace repose::pile
