#pragma once

#include "repose/check/input.h"

namespace repose::check {

inline shape::ShapePtr ball(double radius) {
  auto s = std::make_shared<shape::Shape>();
  s->kind = shape::ShapeKind::ball;
  s->geometry = shape::Ball{radius};
  s->bounding_radius = radius;
  return s;
}

inline shape::ShapePtr ground() {
  auto s = std::make_shared<shape::Shape>();
  s->kind = shape::ShapeKind::half_space;
  s->geometry = shape::HalfSpace{};
  s->bounding_radius = std::numeric_limits<double>::infinity();
  return s;
}

inline PlacedBody at(shape::ShapePtr s, const Vec3& p, const Quat& q = Quat::Identity()) {
  PlacedBody item;
  item.shape = std::move(s);
  item.world_from_body = {p, q};
  item.mass = 1.0;
  item.center_body = item.shape->volume.center;
  item.inertia_body = item.shape->volume.inertia;
  return item;
}

}  // namespace repose::check
