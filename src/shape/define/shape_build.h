#pragma once

#include "repose/shape/shape.h"

#include "shape/define/validate.h"
#include "shape/enclose/min_ball.h"

namespace repose::shape {

/// The last step of every maker.
template <class Geometry>
ShapePtr finished(ShapeKind kind, Geometry geometry, const BoundingBall& ball,
                  const VolumeProperties& volume) {
  auto shape = std::make_shared<Shape>();
  shape->kind = kind;
  shape->geometry = std::move(geometry);
  shape->bounding_center = ball.center;
  shape->bounding_radius = ball.radius;
  shape->volume = volume;
  return shape;
}

}  // namespace repose::shape
