#pragma once

#include "repose/render/picture.h"

#include "stage.h"

namespace repose::render {

/// The camera in stage coordinates.
class Lens {
 public:
  Lens(const Camera& camera, const StageFrame& frame, int width, int height);

  const Vec3f& eye() const { return eye_; }
  /// Unit direction through a place of the picture; x and y in [-1, 1], y upwards.
  Vec3f direction(float x, float y) const { return (forward_ + x * right_ + y * up_).normalized(); }

 private:
  Vec3f eye_, forward_, right_, up_;
};

}  // namespace repose::render
