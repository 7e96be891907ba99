#include "touch_points.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "repose/math/vec.h"

#include "corner.h"
#include "nearest.h"

namespace repose::pile {
namespace {

constexpr int kAround = 16;  // points taken on a rim
constexpr double kFullTurn = 6.283185307179586;
/// Points nearer than this share of the outline's size are one.
constexpr double kSamePoint = 1e-9;
/// Two edges run along each other if the sine of their angle is below this.
constexpr double kParallel = 0.05;
/// Regularises the plane through an outline: share of its size squared.
constexpr double kFlat = 1e-12;
/// Sides of a hull that lean this little to the normal (cosine) bound no height along it.
constexpr double kSteep = 1e-3;

/// What of a convex set lies near its support plane: points in the plane's coordinates and heights
/// along the normal.
struct Outline {
  std::vector<Vec2> points;  // counter-clockwise hull
  std::vector<Vec2> inner;   // those within it
  std::vector<double> heights;
  Vec2 middle = Vec2::Zero(), slope = Vec2::Zero();
  double middle_height = 0.0;

  double height_at(const Vec2& q) const { return middle_height + slope.dot(q - middle); }
};

double cross(const Vec2& a, const Vec2& b) {
  return a.x() * b.y() - a.y() * b.x();
}

struct Frame {
  Vec3 origin, u, v, normal;
  Vec2 flat(const Vec3& p) const { return {u.dot(p - origin), v.dot(p - origin)}; }
  double height(const Vec3& p) const { return normal.dot(p - origin); }
  Vec3 world(const Vec2& q, double h) const { return origin + q.x() * u + q.y() * v + h * normal; }
};

/// The hull of the points, counter-clockwise; two points for an edge, one for a corner.
void order_points(Outline& o) {
  std::vector<int> index(o.points.size());
  for (std::size_t i = 0; i < index.size(); ++i) index[i] = static_cast<int>(i);
  std::sort(index.begin(), index.end(), [&](int a, int b) {
    return o.points[a].x() != o.points[b].x() ? o.points[a].x() < o.points[b].x()
                                              : o.points[a].y() < o.points[b].y();
  });
  double size = 0.0;
  for (const Vec2& p : o.points) size = std::max(size, (p - o.points[0]).norm());
  std::vector<int> hull;
  for (int pass = 0; pass < 2; ++pass) {
    const std::size_t start = hull.size();
    for (const int i : index) {
      while (hull.size() >= start + 2 &&
             cross(o.points[hull.back()] - o.points[hull[hull.size() - 2]],
                   o.points[i] - o.points[hull.back()]) <= kSamePoint * size * size)
        hull.pop_back();
      if (hull.size() > start && (o.points[i] - o.points[hull.back()]).norm() <= kSamePoint * size)
        continue;
      hull.push_back(i);
    }
    if (!hull.empty()) hull.pop_back();
    std::reverse(index.begin(), index.end());
  }
  if (hull.empty()) hull.push_back(index[0]);
  Outline out;
  std::vector<char> used(o.points.size(), 0);
  for (const int i : hull) {
    out.points.push_back(o.points[i]);
    out.heights.push_back(o.heights[i]);
    used[i] = 1;
  }
  for (std::size_t i = 0; i < o.points.size(); ++i)
    if (!used[i]) out.inner.push_back(o.points[i]);
  o = out;
}

/// The plane nearest to the outline's heights; level across an edge.
void fit_plane(Outline& o) {
  const double count = static_cast<double>(o.points.size());
  for (std::size_t i = 0; i < o.points.size(); ++i) {
    o.middle += o.points[i] / count;
    o.middle_height += o.heights[i] / count;
  }
  Mat2 spread = Mat2::Zero();
  Vec2 rise = Vec2::Zero();
  for (std::size_t i = 0; i < o.points.size(); ++i) {
    const Vec2 q = o.points[i] - o.middle;
    spread += q * q.transpose();
    rise += (o.heights[i] - o.middle_height) * q;
  }
  const double size = spread.trace();
  if (size > 0.0) o.slope = (spread + kFlat * size * Mat2::Identity()).inverse() * rise;
}

/// What of two discs' hull turning by `tilt` could bring to the support plane along `side` *
/// normal: points of a rim, the ends of a straight line of the side, or one point.
Outline rims_of(const Convex& set, const Pose& pose, const Frame& frame, double side, double tilt) {
  Outline out;
  const auto add = [&](const Vec3& point) {
    const Vec3 p = pose * point;
    out.points.push_back(frame.flat(p));
    out.heights.push_back(frame.height(p) + side * set.radius);
  };
  const Vec3 n = pose.rotation.conjugate() * Vec3(side * frame.normal);
  const double wide = std::hypot(n.x(), n.y());
  const double towards = std::atan2(n.y(), n.x());
  const auto rim = [&](const Convex::Disc& disc, double angle) {
    return Vec3(disc.radius * std::cos(angle), disc.radius * std::sin(angle), disc.height);
  };
  const Vec3 low = rim(set.low, towards), high = rim(set.high, towards);
  if (wide <= tilt) {
    const Convex::Disc& disc = n.z() > 0.0 ? set.high : set.low;
    for (int i = 0; i < kAround; ++i) add(rim(disc, towards + kFullTurn * i / kAround));
  } else if (std::fabs(n.dot(high - low)) <= tilt * (high - low).norm()) {
    add(low);
    add(high);
  } else {
    add(n.dot(high - low) > 0.0 ? high : low);
  }
  order_points(out);
  fit_plane(out);
  return out;
}

/// ... of a hull: its corners that turning by `tilt` could bring to the support plane.
Outline corners_of(const Convex& set, const Pose& pose, const Frame& frame, double side,
                   double tilt) {
  Outline out;
  const Quat back = pose.rotation.conjugate();
  const Vec3 lowest = pose * set.support(back * Vec3(side * frame.normal));
  const Vec2 foot = frame.flat(lowest);
  const double top = frame.height(lowest);
  for (const Vec3& corner : set.points) {
    const Vec3 p = pose * corner;
    const Vec2 q = frame.flat(p);
    const double depth = side * (top - frame.height(p));
    if (depth > tilt * (q - foot).norm() + kSamePoint * set.bound_radius) continue;
    out.points.push_back(q);
    out.heights.push_back(frame.height(p) + side * set.radius);
  }
  order_points(out);
  fit_plane(out);
  return out;
}

/// How far the set reaches along `side` * normal above q; the outline's plane where it is no hull.
double surface_height(const Convex& set, const Pose& pose, const Frame& frame, double side,
                      const Outline& outline, const Vec2& q) {
  if (set.sides.empty()) return outline.height_at(q);
  const Quat back = pose.rotation.conjugate();
  const Vec3 from = back * (frame.world(q, 0.0) - pose.position);
  const Vec3 along = side * (back * frame.normal);
  double far = std::numeric_limits<double>::infinity();
  for (const Convex::Face& f : set.sides) {
    const double rate = f.normal.dot(along);
    if (rate > kSteep) far = std::min(far, (f.offset - f.normal.dot(from)) / rate);
  }
  return std::isfinite(far) ? side * (far + set.radius) : outline.height_at(q);
}

/// What of a polygon or segment lies within a convex polygon.
std::vector<Vec2> clip(std::vector<Vec2> polygon, const std::vector<Vec2>& by) {
  for (std::size_t e = 0; e < by.size() && !polygon.empty(); ++e) {
    const Vec2 &p = by[e], edge = by[(e + 1) % by.size()] - p;
    std::vector<Vec2> kept;
    const std::size_t count = polygon.size(), sides = count == 2 ? 1 : count;
    if (count == 1 && cross(edge, polygon[0] - p) >= 0.0) kept = polygon;
    for (std::size_t i = 0; i < sides && count > 1; ++i) {
      const Vec2 &a = polygon[i], &b = polygon[(i + 1) % count];
      const double ha = cross(edge, a - p), hb = cross(edge, b - p);
      if (ha >= 0.0) kept.push_back(a);
      if ((ha >= 0.0) != (hb >= 0.0)) kept.push_back(a + (b - a) * (ha / (ha - hb)));
      if (count == 2 && hb >= 0.0) kept.push_back(b);
    }
    polygon = std::move(kept);
  }
  return polygon;
}

/// A place on two outlines, and how far aside of each other their edges run there, m.
struct Common {
  Vec2 at;
  double aside = 0.0;
};

/// The ends of what two edges that nearly run along each other have in common.
std::vector<Common> common_edge(const std::vector<Vec2>& a, const std::vector<Vec2>& b) {
  const Vec2 along = a[1] - a[0], way = b[1] - b[0];
  const double length = along.norm();
  if (length == 0.0 || std::fabs(cross(along, way)) > kParallel * length * way.norm()) return {};
  const Vec2 u = along / length;
  double from = u.dot(b[0] - a[0]), to = u.dot(b[1] - a[0]);
  if (from > to) std::swap(from, to);
  from = std::max(from, 0.0);
  to = std::min(to, length);
  if (from >= to) return {};
  const auto at = [&](double t) {
    const Vec2 q = a[0] + t * u;
    return Common{q, std::fabs(cross(way, q - b[0])) / way.norm()};
  };
  return {at(from), at(to)};
}

/// How round two sets are together across a normal, m: the sum of their radii of curvature.
double roundness(const Convex& a, const Pose& pose_a, const Convex& b, const Pose& pose_b,
                 const Vec3& normal) {
  return bend_of(a, pose_a, normal).trace() + bend_of(b, pose_b, -normal).trace() + a.radius +
         b.radius;
}

}  // namespace

void find_touch_points(const Convex& a, const Pose& pose_a, const Convex& b, const Pose& pose_b,
                       double within, double tilt, std::vector<TouchPoint>& out) {
  if (a.cell || b.cell) return find_cell_points(a, pose_a, b, pose_b, within, tilt, out);
  const Nearest nearest = nearest_of(a, pose_a, b, pose_b);
  if (!nearest.apart) {
    // of hulls the direction of least depth is known
    const bool hulls = a.core == Convex::Core::points && b.core == Convex::Core::points;
    const double depth = hulls ? nearest.gap : -std::numeric_limits<double>::infinity();
    out.push_back({0.5 * (nearest.point_a + nearest.point_b), nearest.normal, depth});
    return;
  }
  if (nearest.gap > within) return;
  const Vec3 n = nearest.normal;
  out.push_back(
      {0.5 * (nearest.point_a + a.radius * n + nearest.point_b - b.radius * n), n, nearest.gap});
  const auto smooth = [](const Convex& set) {
    return set.core == Convex::Core::arc || set.core == Convex::Core::ellipsoid;
  };
  if (tilt <= 0.0 || smooth(a) || smooth(b)) return;  // no face or edge lies along another
  const Vec3 u = n.unitOrthogonal();
  const Frame frame{nearest.point_a, u, n.cross(u), n};
  const auto outline = [&](const Convex& set, const Pose& pose, double side) {
    return set.core == Convex::Core::discs ? rims_of(set, pose, frame, side, tilt)
                                           : corners_of(set, pose, frame, side, tilt);
  };
  const Outline on_a = outline(a, pose_a, 1.0), on_b = outline(b, pose_b, -1.0);
  std::vector<Common> common;
  const auto add = [&](const std::vector<Vec2>& points) {
    for (const Vec2& q : points) common.push_back({q});
  };
  if (on_a.points.size() > 2 && on_b.points.size() > 1)
    add(clip(on_b.points, on_a.points));
  else if (on_b.points.size() > 2 && on_a.points.size() > 1)
    add(clip(on_a.points, on_b.points));
  else if (on_a.points.size() == 2 && on_b.points.size() == 2)
    common = common_edge(on_a.points, on_b.points);
  // corners of one that stand before the other, within both outlines
  const auto add_inner = [&](const Outline& of, const Outline& before) {
    if (before.points.size() < 3) return;
    for (const Vec2& q : of.inner)
      if (!clip({q}, before.points).empty()) common.push_back({q});
  };
  add_inner(on_a, on_b);
  add_inner(on_b, on_a);
  const double round = roundness(a, pose_a, b, pose_b, n);
  for (const auto& [q, aside] : common) {
    const double low = surface_height(a, pose_a, frame, 1.0, on_a, q);
    const double high = surface_height(b, pose_b, frame, -1.0, on_b, q);
    // sides that cross part from each other as they run aside, by hypot(round, aside) - round
    const double parted = aside > 0.0 ? aside * aside / (std::hypot(round, aside) + round) : 0.0;
    const double gap = std::max(high - low, nearest.gap) + parted;
    if (gap <= within) out.push_back({frame.world(q, 0.5 * (low + high)), n, gap});
  }
}

double height_above(const Vec3& origin, const Vec3& normal, const Convex& b, const Pose& pose) {
  if (b.cell) return height_above(origin, normal, b.cell->hull(), pose);
  const Vec3 lowest = pose * b.support(pose.rotation.conjugate() * Vec3(-normal));
  return normal.dot(lowest - origin) - b.radius;
}

void find_plane_points(const Vec3& origin, const Vec3& normal, const Convex& b, const Pose& pose,
                       double within, double tilt, std::vector<TouchPoint>& out) {
  const auto add = [&](const Vec3& p) {
    const double gap = normal.dot(p - origin) - b.radius;
    if (gap <= within) out.push_back({p - (b.radius + 0.5 * gap) * normal, normal, gap});
  };
  if (b.core == Convex::Core::points) {
    for (const Vec3& p : b.points) add(pose * p);
    return;
  }
  if (b.cell) {
    if (height_above(origin, normal, b, pose) > within) return;
    const Vec3 along = pose.rotation.conjugate() * normal;
    const CellFoot low = lowest_on_cell(*b.cell, along);
    const std::size_t before = out.size();
    add(pose * low.point);
    if (out.size() == before) return;
    out.back().passes = passes_on(*b.cell, low.uv, along);
    if (b.cell->flat.isZero()) return;
    // of a plane face every corner may come to touch
    for (const Vec3& corner : b.cell->corner) {
      const Vec3 way = corner - low.point;
      if (way.norm() > kSamePoint * b.bound_radius && along.dot(way) <= tilt * way.norm())
        add(pose * corner);
    }
    return;
  }
  const Vec3 down = pose.rotation.conjugate() * Vec3(-normal);
  if (b.core == Convex::Core::ellipsoid || b.core == Convex::Core::arc) {
    add(pose * b.support(down));
    if (b.core == Convex::Core::arc)
      add(pose * Vec3(b.ring * std::cos(b.middle), b.ring * std::sin(b.middle), 0.0));
    return;
  }
  const double start = std::atan2(down.y(), down.x());
  for (const Convex::Disc& disc : {b.low, b.high})
    for (int i = 0; i < (disc.radius > 0.0 ? kAround : 1); ++i) {
      const double angle = start + kFullTurn * i / kAround;
      add(pose * Vec3(disc.radius * std::cos(angle), disc.radius * std::sin(angle), disc.height));
    }
}

}  // namespace repose::pile
