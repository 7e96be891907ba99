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

/// A cell before another set that is none; `side` is 1 where the cell is a.
class CellRows {
 public:
  CellRows(const Convex& cell, const Pose& pose, const Convex& other, const Pose& pose_other,
           double within, double side)
      : cell_(cell),
        pose_(pose),
        back_(pose.inverse()),
        other_(other),
        pose_other_(pose_other),
        within_(within),
        side_(side) {}

  /// The feet of the other set's corners.
  void add_corners() {
    for (const Vec3& corner : corners_of(other_)) {
      const Vec3 p = back_ * (pose_other_ * corner);
      if ((p - cell_.bound_center).norm() > cell_.bound_radius + other_.radius + within_) continue;
      const CellFoot foot = foot_on_cell(*cell_.cell, p, cell_.cell->box.center());
      const Vec3 up = p - foot.point;
      const double distance = up.norm();
      if (!(distance > 0.0)) continue;
      if (distance - other_.radius < least_) {
        least_ = distance - other_.radius;
        start_ = foot.uv;
        found_ = true;
      }
      if (!passes_on(*cell_.cell, foot.uv, up / distance))
        add(pose_ * foot.point, pose_.turn(up / distance), distance);
    }
  }
  const Vec2* start() const { return found_ ? &start_ : nullptr; }
  const std::vector<TouchPoint>& rows() const { return rows_; }

 private:
  void add(const Vec3& on_cell, const Vec3& normal, double distance) {
    const double gap = distance - other_.radius;
    if (gap <= within_) rows_.push_back({on_cell + 0.5 * gap * normal, side_ * normal, gap});
  }

  const Convex& cell_;
  const Pose& pose_;
  Pose back_;
  const Convex& other_;
  const Pose& pose_other_;
  double within_, side_;
  double least_ = std::numeric_limits<double>::infinity();  // m, of the corners' gaps
  Vec2 start_ = Vec2::Zero();                               // its foot
  bool found_ = false;
  std::vector<TouchPoint> rows_;
};

}  // namespace

void find_cell_points(const Convex& a, const Pose& pose_a, const Convex& b, const Pose& pose_b,
                      double within, double tilt, std::vector<TouchPoint>& out) {
  const double swell = swell_of(a) + swell_of(b);
  Vec3 normal = pose_b * b.bound_center - pose_a * a.bound_center;
  if (wide_slab(a, pose_a, b, pose_b, normal) - swell > within) return;  // mostly
  const Nearest hulls = nearest_of_hulls(a, pose_a, b, pose_b);
  if (hulls.apart && hulls.gap - swell > within) return;
  const auto middle = [&](const Nearest& n) {
    return Vec3(0.5 * (n.point_a + a.radius * n.normal + n.point_b - b.radius * n.normal));
  };
  if (hulls.apart && hulls.gap > kHullTells * swell && swell > 0.0) {
    out.push_back({middle(hulls), hulls.normal, hulls.gap - swell});
    return;
  }
  const bool both = a.cell && b.cell;
  CellRows rows = a.cell ? CellRows(a, pose_a, b, pose_b, within, 1.0)
                         : CellRows(b, pose_b, a, pose_a, within, -1.0);
  if (!both && tilt > 0.0) rows.add_corners();
  const Nearest nearest = nearest_on_cells(a, pose_a, b, pose_b, rows.start());
  if (!nearest.apart) {
    out.push_back({nearest.point_a, nearest.normal, -std::numeric_limits<double>::infinity()});
    return;
  }
  const std::size_t first = out.size();
  // The nearest place comes first: by it the pair is judged. It is one that was found: a nearer one
  // may be hidden, so that hulls within reach make a pair to be proven wherever it lies.
  out.push_back({middle(nearest), nearest.normal, nearest.gap, nearest.passes});
  for (const TouchPoint& t : rows.rows()) {
    const bool known = std::any_of(
        out.begin() + static_cast<std::ptrdiff_t>(first), out.end(), [&](const TouchPoint& o) {
          return !o.passes &&
                 (o.point - t.point).norm() <= kSamePoint * (a.cell ? b : a).bound_radius;
        });
    if (!known) out.push_back(t);
  }
}

}  // namespace repose::pile
