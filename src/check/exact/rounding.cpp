#include "check/exact/rounding.h"

#include <algorithm>

namespace repose::check {

namespace {

template <class Real>
FrameOf<Real> frame_in_world(const PlacedBody& item) {
  FrameOf<Real> f;
  f.turn = item.world_from_body.rotation.cast<Real>().normalized().toRotationMatrix();
  f.shift = item.world_from_body.position.cast<Real>();
  f.turn_error = kFiner<Real> * kTurnError;
  return f;
}

template <class Real>
FrameOf<Real> frame_in(const PlacedBody& a, const PlacedBody& b) {
  const FrameOf<Real> wa = frame_in_world<Real>(a), wb = frame_in_world<Real>(b);
  const Eigen::Matrix<Real, 3, 1> between = wb.shift - wa.shift;
  FrameOf<Real> f;
  f.turn = wa.turn.transpose() * wb.turn;
  f.shift = wa.turn.transpose() * between;
  f.turn_error = kFiner<Real> * (2.0 * kTurnError + kSumError);
  f.shift_error = kFiner<Real> * (kTurnError + kSumError) * between.norm();
  return f;
}

}  // namespace

Frame world_frame(const PlacedBody& item) {
  return frame_in_world<double>(item);
}

Frame relative_frame(const PlacedBody& a, const PlacedBody& b) {
  return frame_in<double>(a, b);
}

FrameOf<long double> fine_relative_frame(const PlacedBody& a, const PlacedBody& b) {
  return frame_in<long double>(a, b);
}

namespace {

BoundingBall ball_of_spheres(const PlacedBody& item, const shape::SphereSet& set) {
  Vec3 center = Vec3::Zero();
  for (const Vec3& p : item.points_world) center += p;
  center /= static_cast<double>(item.points_world.size());
  double radius = 0.0;
  for (std::size_t i = 0; i < item.points_world.size(); ++i) {
    const double rest = i < set.radii.size() ? set.radii[i] : 0.0;
    const double own = i < item.radii.size() ? item.radii[i] : rest;
    radius = std::max(radius, (item.points_world[i] - center).norm() + own);
  }
  return {center, radius};
}

}  // namespace

BoundingBall bounding_ball_world(const PlacedBody& item) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const auto& geometry = item.shape->geometry;
  if (std::holds_alternative<shape::HalfSpace>(geometry))
    return {item.world_from_body.position, kInf};
  if (const auto* ball = std::get_if<shape::Ball>(&geometry))
    return {item.world_from_body.position, ball->radius};
  const auto* set = std::get_if<shape::SphereSet>(&geometry);
  if (set && !item.points_world.empty()) return ball_of_spheres(item, *set);
  const Frame f = world_frame(item);
  const double far = item.shape->bounding_center.norm();
  return {f * item.shape->bounding_center,
          item.shape->bounding_radius * (1.0 + kSumError) + f.error(far)};
}

prove::Around surroundings(const PlacedBody& item) {
  const auto& geometry = item.shape->geometry;
  const auto* set = std::get_if<shape::SphereSet>(&geometry);
  if (set && !item.points_world.empty())
    return prove::around(item.points_world, item.radii.empty() ? set->radii : item.radii);
  if (const auto* ball = std::get_if<shape::Ball>(&geometry))
    return prove::around(item.world_from_body, Vec3::Zero(), ball->radius);
  // shapes measure theirs in doubles
  return prove::around(item.world_from_body, item.shape->bounding_center,
                       item.shape->bounding_radius)
      .grown(kSumError);
}

bool is_plane(const PlacedBody& item) {
  return std::holds_alternative<shape::PlaneRegion>(item.shape->geometry);
}

Vec3 between_middles(const PlacedBody& a, const BoundingBall& ball_a, const PlacedBody& b,
                     const BoundingBall& ball_b) {
  Vec3 out = ball_b.center - ball_a.center;
  if (is_plane(a) && is_plane(b)) out.z() = 0.0;
  return out;
}

bool joined(const PlacedBody& a, const PlacedBody& b) {
  const auto names = [](const PlacedBody& one, const PlacedBody& other) {
    return other.number >= 0 &&
           std::find(one.passes.begin(), one.passes.end(), other.number) != one.passes.end();
  };
  return names(a, b) || names(b, a);
}

bool never_meet(const PlacedBody& a, const PlacedBody& b) {
  if (!a.collides || !b.collides || joined(a, b)) return true;
  const bool plane_a = std::holds_alternative<shape::PlaneRegion>(a.shape->geometry);
  const bool plane_b = std::holds_alternative<shape::PlaneRegion>(b.shape->geometry);
  return (plane_a || plane_b) && a.layer != b.layer;
}

double pair_size(const PlacedBody& a, const PlacedBody& b) {
  return std::min(a.size(), b.size());
}

}  // namespace repose::check
