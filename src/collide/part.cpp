#include "repose/collide/part.h"

#include <array>
#include <cmath>
#include <limits>

namespace repose::collide {

namespace {

constexpr int kMostRounds = 60;
/// The search ends when the support plane is as far as the nearest point, up to this share of it.
constexpr double kRelative = 1e-10;
/// Points nearer to the origin than this share of the pieces' size are there.
constexpr double kMeet = 1e-12;

/// Points of the difference of two pieces whose hull comes nearest to the origin.
struct Simplex {
  std::array<Vec3, 4> corner;
  int count = 0;
};

/// Nearest to the origin in the plane, line or point through all corners; false where it lies
/// outside their hull.
bool nearest_through(const std::array<Vec3, 4>& c, int count, Vec3& out) {
  if (count == 1) {
    out = c[0];
    return true;
  }
  // least squares on the edges from the first corner
  Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 3> edges(3, count - 1);
  for (int k = 1; k < count; ++k) edges.col(k - 1) = c[static_cast<std::size_t>(k)] - c[0];
  const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 3, 3> square =
      edges.transpose() * edges;
  const Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 3, 1> right = -(edges.transpose() * c[0]);
  Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 3, 1> weight(count - 1);
  if (count == 2) {
    if (!(square(0, 0) > 0.0)) return false;
    weight[0] = right[0] / square(0, 0);
  } else if (count == 3) {
    const double det = square(0, 0) * square(1, 1) - square(0, 1) * square(1, 0);
    if (!(det > 0.0)) return false;
    weight[0] = (right[0] * square(1, 1) - square(0, 1) * right[1]) / det;
    weight[1] = (square(0, 0) * right[1] - right[0] * square(1, 0)) / det;
  } else {
    const Mat3 turned = edges;
    const double det = turned.determinant();
    if (!(std::abs(det) > 0.0)) return false;
    weight = -(turned.inverse() * c[0]);
  }
  double first = 1.0;
  for (int k = 0; k + 1 < count; ++k) {
    if (!(weight[k] >= 0.0)) return false;
    first -= weight[k];
  }
  if (!(first >= 0.0)) return false;
  out = c[0] + edges * weight;
  return true;
}

/// The point of the simplex nearest to the origin; it keeps the corners that hold it.
Vec3 reduce(Simplex& simplex) {
  double best = std::numeric_limits<double>::infinity();
  Vec3 nearest = simplex.corner[0];
  Simplex kept = simplex;
  for (int chosen = 1; chosen < 1 << simplex.count; ++chosen) {
    Simplex some;
    for (int k = 0; k < simplex.count; ++k)
      if (chosen >> k & 1)
        some.corner[static_cast<std::size_t>(some.count++)] =
            simplex.corner[static_cast<std::size_t>(k)];
    Vec3 point;
    if (!nearest_through(some.corner, some.count, point) || !(point.squaredNorm() < best)) continue;
    best = point.squaredNorm();
    nearest = point;
    kept = some;
  }
  simplex = kept;
  return nearest;
}

Parting along(const Vec3& normal, const PlacedPiece& upper, const PlacedPiece& lower) {
  Parting out;
  out.normal = normal;
  out.offset = normal.dot(lower.support(normal));
  out.gap = normal.dot(upper.support(-normal)) - out.offset;
  return out;
}

Parting above_ground(const PlacedPiece& upper, const PlacedPiece& ground) {
  const Plane plane = ground.obstacle->plane(Vec3::Zero(), ground.piece);
  Parting out;
  out.normal = ground.world_from_body.turn(plane.normal);
  out.offset = plane.offset + out.normal.dot(ground.world_from_body.position);
  out.gap = out.normal.dot(upper.support(-out.normal)) - out.offset;
  return out;
}

/// A ball's plane is the one that the other piece has for its middle.
Parting beside_ball(const PlacedPiece& ball, const PlacedPiece& other, bool ball_is_upper) {
  const Plane plane = other.obstacle->plane(
      other.world_from_body.inverse() * ball.world_from_body.position, other.piece);
  const Vec3 normal = other.world_from_body.turn(plane.normal);
  return ball_is_upper ? along(normal, ball, other) : along(-normal, other, ball);
}

}  // namespace

Parting part(const PlacedPiece& upper, const PlacedPiece& lower) {
  if (lower.obstacle->endless()) return above_ground(upper, lower);
  if (upper.obstacle->ball_radius() > 0.0) return beside_ball(upper, lower, true);
  if (lower.obstacle->ball_radius() > 0.0) return beside_ball(lower, upper, false);
  const auto corner = [&](const Vec3& direction) -> Vec3 {
    return upper.support(-direction) - lower.support(direction);
  };
  Vec3 way = upper.support(Vec3::UnitX()) - lower.support(Vec3::UnitX());
  Parting best =
      along(way.norm() > 0.0 ? Vec3(way.normalized()) : Vec3(Vec3::UnitX()), upper, lower);
  const auto take = [&](const Vec3& normal) {
    if (const Parting other = along(normal, upper, lower); other.gap > best.gap) best = other;
  };
  Simplex simplex;
  double size = 0.0;
  for (int round = 0; round < kMostRounds; ++round) {
    const double distance = way.norm();
    if (!(distance > kMeet * size)) break;
    const Vec3 normal = way / distance;
    take(normal);
    const Vec3 next = corner(normal);
    size = std::max(size, next.norm());
    if (simplex.count > 0 && distance - normal.dot(next) <= kRelative * distance) break;
    if (simplex.count == 4) break;
    simplex.corner[static_cast<std::size_t>(simplex.count++)] = next;
    way = reduce(simplex);
  }
  // faces that touch: the nearest points say nothing of the normal
  if (!(best.gap > kRelative * size))
    for (int k = 0; k < 3; ++k)
      for (const double sign : {1.0, -1.0}) {
        take(upper.world_from_body.turn(Vec3(sign * Vec3::Unit(k))));
        take(lower.world_from_body.turn(Vec3(sign * Vec3::Unit(k))));
      }
  return best;
}

}  // namespace repose::collide
