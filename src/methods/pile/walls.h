#pragma once

#include <array>
#include <vector>

#include "repose/math/pose.h"
#include "repose/shape/shape.h"

#include "nearest.h"
#include "sweep.h"
#include "touch_points.h"

namespace repose::pile {

/// A half-space that keeps a ball's centre p off a wall: (p - point) . normal >= radius.
struct Cut {
  Vec3 point;   // on the wall, m
  Vec3 normal;  // unit, towards the ball's centre
  int body;
  bool flat = false;  // the wall is a plane
};

/// All that is fixed around the bodies, as planes, balls, triangles and cells of curved surfaces.
class Walls {
 public:
  /// Takes in a fixed body; false if its shape cannot be a wall.
  bool add(const shape::Shape& shape, const Pose& world_from_body, int body);
  /// Call once after the last add. `radius` is that of the mean mover, m. False if nothing bounds
  /// a curved wall; `unbound` is then its body.
  bool finish(double radius, int& unbound);

  /// Closest-point cutting (Milenkovic 1996, section 4.1): the nearest wall point gives a
  /// half-space, everything behind it is thrown away, and so on until nothing is left within
  /// `within` of `center`. A ball that obeys all cuts and moves less than `within` - radius touches
  /// no wall.
  void cut(const Vec3& center, double within, std::vector<Cut>& cuts) const;

  // parts are numbered: planes, then balls, then triangles, then cells

  /// Parts that may touch what lies within `within` (m) of `center`, in order.
  void parts_near(const Vec3& center, double within, std::vector<int>& out) const;
  /// True if the ball about a part is more than `reach` (m) off the point: a quick look.
  bool out_of_reach(int part, const Vec3& center, double reach) const;
  int body_of(int part) const;
  /// Where a ball may come to touch a part; of a cell the gap is a bound from below, minus infinity
  /// where the centre lies within what bounds it.
  TouchPoint touch_of_ball(int part, const Vec3& center, double radius) const;
  /// Where a convex set may come to touch a part, if it goes at most `within` (m) and turns by at
  /// most `tilt` (rad).
  void touch(int part, const Convex& set, const Pose& pose, double within, double tilt,
             std::vector<TouchPoint>& out) const;
  /// True if some wall is curved: closest-point cutting then does not see all.
  bool curved() const { return !cells_.empty(); }
  bool is_cell(int part) const { return part >= first_cell(); }
  /// What a part is, and where; nullptr for a plane.
  const Convex* part_set(int part, Pose& world_from_part) const;
  /// Nearest points of a part (a) and a set (b).
  Nearest nearest_to(int part, const Convex& set, const Pose& pose) const;
  /// True if it is proven that a set stays at least `least` (m) off a part all along its way;
  /// `normal` separates them at the start.
  bool stays_off(int part, const Convex& set, const Way& way, const Vec3& normal,
                 double least) const;

  /// False only if a ball that moves along the ray for ever meets no wall. Triangles count by
  /// their common box.
  bool meets_ray(const Vec3& from, const Vec3& direction, double radius) const;

  bool empty() const {
    return planes_.empty() && balls_.empty() && triangles_.empty() && cells_.empty();
  }

 private:
  struct Plane {
    Vec3 point, normal;
    int body;
  };
  struct FixedBall {
    Vec3 center;
    double radius;
    int body;
    Convex set;
  };
  struct Triangle {
    std::array<Vec3, 3> corner;
    int body;
    Convex set;
    Vec3 normal = Vec3::Zero();  // unit; zero where it has no area
  };

  struct Cell {
    Convex set;
    Pose pose;  // world_from_body
    int body;
  };
  /// A curved wall before it is cut into cells.
  struct Curved {
    shape::Solid solid;
    Pose pose;
    int body;
  };

  int first_cell() const {
    return static_cast<int>(planes_.size() + balls_.size() + triangles_.size());
  }
  void fill_grid(double cell);
  void box_of(std::size_t entry, Vec3& low, Vec3& high) const;
  void cut_triangles(const Vec3& center, double within, std::vector<Cut>& cuts) const;
  /// Triangles, then cells, by one number.
  void near_entries(const Vec3& center, double within, std::vector<int>& out) const;

  std::vector<Plane> planes_;
  std::vector<FixedBall> balls_;
  std::vector<Triangle> triangles_;
  std::vector<Curved> to_cut_;
  std::vector<Cell> cells_;
  double cell_ = 1.0;
  std::array<int, 3> cells_along_{};  // grid of lists over their bounds
  Vec3 low_ = Vec3::Zero();
  std::vector<int> cell_start_, cell_entry_;
};

/// The point of a convex polygon nearest to p.
Vec3 nearest_on_polygon(const std::vector<Vec3>& polygon, const Vec3& p);
/// What of a convex polygon lies beyond `depth` on the normal's side of the plane through `point`.
void clip_polygon(std::vector<Vec3>& polygon, const Vec3& point, const Vec3& normal, double depth);

}  // namespace repose::pile
