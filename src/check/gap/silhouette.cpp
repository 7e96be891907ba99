#include "check/gap/silhouette.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <Eigen/Geometry>

namespace repose::check {

namespace {

double cross(const Vec2& a, const Vec2& b) {
  return a.x() * b.y() - a.y() * b.x();
}

/// What is seen along the edge that runs on: x along the other edge, y up.
class View {
 public:
  View(const Crossing& c, const Vec3& along) : c_(c), right_(along) {}

  /// Sines of the way to a corner; none if it is the point itself.
  std::optional<Vec2> operator()(const Vec3& corner) const {
    const Vec3 d = corner - c_.point;
    const double length = d.norm();
    if (length <= c_.near) return std::nullopt;
    return Vec2(right_.dot(d), c_.up.dot(d)) / length;
  }

 private:
  const Crossing& c_;
  Vec3 right_;
};

/// The edge's direction away from the point, square to the other edge; none if it goes on at the
/// point on both sides.
std::optional<Vec3> away(const Crossing& c) {
  const Vec3 from = c.ends.from - c.point, to = c.ends.to - c.point;
  if (from.norm() > c.near && to.norm() > c.near) return std::nullopt;
  const Vec3 other = (c.runs.to - c.runs.from).normalized();
  const Vec3 d = from.norm() > to.norm() ? from : to;
  const Vec3 square = d - other * other.dot(d);
  if (!(square.norm() > 0.0)) return std::nullopt;
  return square.normalized();
}

/// Direction of the second body's nearest face, turned up from the edge.
std::optional<Vec2> nearest_face(const View& view, const std::vector<const Vec3*>& triangles,
                                 double slack) {
  std::optional<Vec2> out;
  for (const Vec3* corner : triangles)
    for (int k = 0; k < 3; ++k) {
      const auto d = view(corner[k]);
      if (!d || d->norm() <= slack) continue;  // along the edge that runs on
      if (!out || d->normalized().x() > out->x()) out = d->normalized();
    }
  return out;
}

/// The triangle reaches between the edge and the face.
bool between(const View& view, const Vec3* corner, const Vec2& face, double slack) {
  const Vec2 middle = Vec2(1.0 + face.x(), face.y());
  for (int k = 0; k < 3; ++k) {
    const auto d = view(corner[k]), e = view(corner[(k + 1) % 3]);
    if (d && std::min(d->y(), cross(*d, face)) > slack) return true;
    if (!d || !e) continue;
    const double turn = cross(*d, *e);
    if (turn * cross(*d, middle) > 0.0 && turn * cross(middle, *e) > 0.0) return true;
  }
  return false;
}

}  // namespace

bool bounds_silhouette(const Crossing& crossing, const std::vector<const Vec3*>& of_first,
                       const std::vector<const Vec3*>& of_second, double slack) {
  const Segment& on = crossing.runs;
  if ((on.from - crossing.point).norm() <= crossing.near ||
      (on.to - crossing.point).norm() <= crossing.near)
    return false;
  const auto right = away(crossing);
  if (!right) return false;
  const View view(crossing, *right);
  const auto face = nearest_face(view, of_second, slack);
  if (!face) return false;
  return std::none_of(of_first.begin(), of_first.end(),
                      [&](const Vec3* corner) { return between(view, corner, *face, slack); });
}

}  // namespace repose::check
