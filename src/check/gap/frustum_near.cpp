#include "check/gap/frustum_near.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>

namespace repose::check {

namespace {

using shape::FrustumForm;
using Fine = VecOf<long double>;
using FinePoint = Eigen::Matrix<long double, 2, 1>;  // distance from the axis, height

/// Slender: its radius is no more than this many times what is looked at.
constexpr long double kSlender = 4.0;

long double radius_at(const FrustumForm& f, long double z) {
  const long double share = (z - f.z0) / (static_cast<long double>(f.z1) - f.z0);
  return std::max(0.0L, f.r0 + share * (static_cast<long double>(f.r1) - f.r0));
}

FinePoint nearest_on_side(const FrustumForm& f, const FinePoint& p) {
  const FinePoint from(f.r0, f.z0), along = FinePoint(f.r1, f.z1) - from;
  const long double t = std::clamp((p - from).dot(along) / along.squaredNorm(), 0.0L, 1.0L);
  return from + t * along;
}

/// Unit away from the axis at p.
Fine outward(const Fine& p) {
  const long double across = std::hypot(p.x(), p.y());
  return across > 0.0 ? Fine(p.x() / across, p.y() / across, 0.0) : Fine(Fine::UnitX());
}

/// A plane that a body lies behind: normal.x <= offset.
struct Plane {
  Vec3 normal;
  long double offset;
};

using Polygon = std::vector<Vec3>;

/// The part of a convex polygon behind a plane.
Polygon behind(const Polygon& in, const Plane& plane) {
  Polygon out;
  const auto room = [&](const Vec3& p) {
    return static_cast<double>(plane.offset - plane.normal.dot(p));
  };
  for (std::size_t k = 0; k < in.size(); ++k) {
    const Vec3 &p = in[k], &q = in[(k + 1) % in.size()];
    const double at_p = room(p), at_q = room(q);
    if (at_p >= 0.0) out.push_back(p);
    if ((at_p > 0.0 && at_q < 0.0) || (at_p < 0.0 && at_q > 0.0))
      out.push_back(p + (q - p) * (at_p / (at_p - at_q)));
  }
  return out;
}

/// What the plane has within the cube of half width `half`.
Polygon face_in_cube(const Plane& plane, double half) {
  constexpr double kBeyond = 4.0;  // of half: more than the cube's diagonal
  const Vec3& n = plane.normal;
  const Vec3 s = n.unitOrthogonal(), t = n.cross(s);
  const Vec3 foot = static_cast<double>(plane.offset) * n;
  const double w = kBeyond * half;
  return {foot + w * (s + t), foot + w * (t - s), foot - w * (s + t), foot + w * (s - t)};
}

/// The body behind all planes: corners of each face in order, and directions of edges.
FacedCore core_behind(const std::vector<Plane>& planes, double half) {
  FacedCore out;
  for (std::size_t i = 0; i < planes.size(); ++i) {
    Polygon polygon = face_in_cube(planes[i], half);
    for (std::size_t k = 0; k < planes.size() && !polygon.empty(); ++k)
      if (k != i) polygon = behind(polygon, planes[k]);
    if (polygon.empty()) continue;
    FacedCore::Face face{planes[i].normal, planes[i].offset, {}};
    for (const Vec3& p : polygon) {
      face.corners.push_back(static_cast<int>(out.points.size()));
      out.points.push_back(p);
    }
    out.faces.push_back(std::move(face));
  }
  return out;
}

}  // namespace

NearPart part_beside(const FrustumForm& f, const Fine& at, double half) {
  const double low = std::min(f.z0, f.z1), high = std::max(f.z0, f.z1);
  const Fine end_low(0, 0, low - at.z()), end_high(0, 0, high - at.z());
  if (end_low.z() > half || end_high.z() < -half) return {};
  const long double bottom = std::max<long double>(low, at.z() - half);
  const long double top = std::min<long double>(high, at.z() + half);
  if (!(top > bottom)) return {};
  if (std::max(radius_at(f, bottom), radius_at(f, top)) <= kSlender * half) {
    const long double middle = 0.5L * (bottom + top);
    const FrustumForm cut{static_cast<double>(radius_at(f, bottom)),
                          static_cast<double>(radius_at(f, top)),
                          static_cast<double>(bottom - middle), static_cast<double>(top - middle)};
    return {ConvexBody::of({cut, 0.0}), Fine(0, 0, middle)};
  }
  const Fine away = outward(at);
  const FinePoint touch = nearest_on_side(f, {std::hypot(at.x(), at.y()), at.z()});
  const Fine from_at = touch.x() * away + Fine(0, 0, touch.y()) - at;
  const long double dr = static_cast<long double>(f.r1) - f.r0;
  const long double dz = static_cast<long double>(f.z1) - f.z0;
  const Fine up(0, 0, std::copysign(1.0L, dz));
  const Vec3 side = (away * std::fabs(dz) - up * dr).normalized().cast<double>();
  std::vector<Plane> planes{{side, side.cast<long double>().dot(from_at)},
                            {Vec3::UnitZ(), end_high.z()},
                            {-Vec3::UnitZ(), -end_low.z()}};
  // ends that lie beyond the cube bound nothing
  std::erase_if(planes, [&](const Plane& p) { return p.offset > 2.0 * half; });
  for (int axis = 0; axis < 3; ++axis)
    for (const double sign : {1.0, -1.0}) planes.push_back({sign * Vec3::Unit(axis), half});
  FacedCore core = core_behind(planes, half);
  constexpr std::size_t kFewest = 4;
  if (core.points.size() < kFewest) return {};
  const Vec3 along = Vec3::UnitZ().cross(side);
  if (along.norm() > 0.0) core.edges.push_back(along.normalized());
  return {ConvexBody::of(std::move(core)), at};
}

Fine nearest_in(const FrustumForm& f, const Fine& p) {
  const long double low = std::min(f.z0, f.z1), high = std::max(f.z0, f.z1);
  const FinePoint at(std::hypot(p.x(), p.y()), p.z());
  if (at.y() >= low && at.y() <= high && at.x() <= radius_at(f, at.y())) return p;
  FinePoint best = nearest_on_side(f, at);
  for (const auto& [r, z] : {std::pair(f.r0, f.z0), std::pair(f.r1, f.z1)}) {
    const FinePoint on_end(std::min<long double>(at.x(), r), z);
    if ((on_end - at).norm() < (best - at).norm()) best = on_end;
  }
  return best.x() * outward(p) + Fine(0, 0, best.y());
}

}  // namespace repose::check
