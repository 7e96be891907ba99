#include <algorithm>
#include <cmath>
#include <limits>

#include "nearest.h"
#include "touch_points.h"

namespace repose::pile {
namespace {

constexpr int kAround = 16;  // points taken on a rim
constexpr double kFullTurn = 6.283185307179586;
/// Hulls that are apart by this many times what they hold beyond the cells tell the place.
constexpr double kHullTells = 4.0;
/// Points nearer than this share of the other set's size are one.
constexpr double kSamePoint = 1e-6;

double swell_of(const Convex& set) {
  return set.cell && set.cell->flat.isZero() ? set.cell->swell() : 0.0;
}

/// The corners of a core, points of its rims, the ends of its axis: what may touch on its own.
std::vector<Vec3> corners_of(const Convex& set) {
  if (set.core == Convex::Core::points && set.points.size() > 1) return set.points;
  std::vector<Vec3> out;
  if (set.core != Convex::Core::discs) return out;
  for (const Convex::Disc& disc : {set.low, set.high})
    for (int i = 0; i < (disc.radius > 0.0 ? kAround : 1); ++i) {
      const double angle = kFullTurn * i / kAround;
      out.emplace_back(disc.radius * std::cos(angle), disc.radius * std::sin(angle), disc.height);
    }
  return out;
}

/// Rows of the other set's corners, but for those that stand in `out` from `first` on. `side` is 1
/// where the cell is a.
void add_corners(const Convex& cell, const Pose& pose, const Convex& other, const Pose& pose_other,
                 double within, double side, std::size_t first, std::vector<TouchPoint>& out) {
  const Pose back = pose.inverse();
  for (const Vec3& corner : corners_of(other)) {
    const Vec3 p = back * (pose_other * corner);
    if ((p - cell.bound_center).norm() > cell.bound_radius + other.radius + within) continue;
    const CellFoot foot = foot_on_cell(*cell.cell, p, cell.cell->box.center());
    const Vec3 up = p - foot.point;
    const double distance = up.norm(), gap = distance - other.radius;
    if (!(distance > 0.0) || gap > within) continue;
    const Vec3 normal = up / distance;
    if (passes_on(*cell.cell, foot.uv, normal)) continue;
    const Vec3 at = pose * Vec3(foot.point + 0.5 * gap * normal);
    const bool known = std::any_of(
        out.begin() + static_cast<std::ptrdiff_t>(first), out.end(), [&](const TouchPoint& t) {
          return !t.passes && (t.point - at).norm() <= kSamePoint * other.bound_radius;
        });
    if (!known) out.push_back({at, side * pose.turn(normal), gap});
  }
}

}  // namespace

void find_cell_points(const Convex& a, const Pose& pose_a, const Convex& b, const Pose& pose_b,
                      double within, double tilt, std::vector<TouchPoint>& out) {
  const double swell = swell_of(a) + swell_of(b);
  const Nearest hulls = nearest_of_hulls(a, pose_a, b, pose_b);
  if (hulls.apart && hulls.gap - swell > within) return;
  const auto middle = [&](const Nearest& n) {
    return Vec3(0.5 * (n.point_a + a.radius * n.normal + n.point_b - b.radius * n.normal));
  };
  if (hulls.apart && hulls.gap > kHullTells * swell && swell > 0.0) {
    out.push_back({middle(hulls), hulls.normal, hulls.gap - swell});
    return;
  }
  const Nearest nearest = nearest_of(a, pose_a, b, pose_b);
  if (!nearest.apart) {
    out.push_back({nearest.point_a, nearest.normal, -std::numeric_limits<double>::infinity()});
    return;
  }
  const std::size_t first = out.size();
  if (nearest.gap <= within)
    out.push_back({middle(nearest), nearest.normal, nearest.gap, nearest.passes});
  if (tilt <= 0.0) return;
  if (a.cell && !b.cell) add_corners(a, pose_a, b, pose_b, within, 1.0, first, out);
  if (b.cell && !a.cell) add_corners(b, pose_b, a, pose_a, within, -1.0, first, out);
}

}  // namespace repose::pile
