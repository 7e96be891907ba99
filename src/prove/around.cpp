#include "repose/prove/around.h"

#include <algorithm>

#include "repose/prove/placed.h"

namespace repose::prove {

namespace {

IVec3 exactly(const Vec3& v) {
  return {Interval(v.x()), Interval(v.y()), Interval(v.z())};
}
IVec3 between(const IVec3& a, const IVec3& b) {
  return {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
}
Interval length(const IVec3& v) {
  return sqrt(square(v[0]) + square(v[1]) + square(v[2]));
}
/// What is no number is no bound.
double known(double bound) {
  return bound >= -detail::kInf ? bound : -detail::kInf;
}

}  // namespace

double Around::low(int axis) const {
  return known((center[static_cast<std::size_t>(axis)] - Interval(radius)).lo);
}

double Around::high(int axis) const {
  return -known((-center[static_cast<std::size_t>(axis)] - Interval(radius)).lo);
}

Around Around::grown(double share) const {
  return {center, (Interval(radius) + Interval(radius) * Interval(share)).hi};
}

Around Around::flat() const {
  Around out = *this;
  out.center[2] = 0.0;
  return out;
}

Around around(const Pose& world_from_body, const Vec3& center_body, double radius) {
  return {Placing(world_from_body).enclose(center_body), radius};
}

Around around(std::span<const Vec3> centers, std::span<const double> radii) {
  Vec3 sum = Vec3::Zero();
  for (const Vec3& p : centers) sum += p;
  // any middle will do
  Around out{exactly(sum / static_cast<double>(std::max<std::size_t>(1, centers.size()))), 0.0};
  for (std::size_t i = 0; i < centers.size(); ++i) {
    const Interval own(i < radii.size() ? radii[i] : 0.0);
    const double reach = (length(between(out.center, exactly(centers[i]))) + own).hi;
    if (!(reach <= out.radius)) out.radius = reach;
  }
  return out;
}

double apart(const Around& a, const Around& b) {
  return known((length(between(a.center, b.center)) - Interval(a.radius) - Interval(b.radius)).lo);
}

double above_ground(const Around& body, const Pose& world_from_ground) {
  const IVec3 up = Placing(world_from_ground).turn(Vec3::UnitZ());
  const IVec3 from = between(exactly(world_from_ground.position), body.center);
  const Interval height = up[0] * from[0] + up[1] * from[1] + up[2] * from[2];
  return known((height - Interval(body.radius)).lo);
}

}  // namespace repose::prove
