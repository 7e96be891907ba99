#include "lens.h"

#include <cmath>

namespace repose::render {

Lens::Lens(const Camera& camera, const StageFrame& frame, int width, int height)
    : eye_(frame.point(camera.eye)) {
  const Vec3 forward = (camera.target - camera.eye).normalized();
  const Vec3 right = forward.cross(camera.up).normalized();
  const Vec3 up = right.cross(forward);
  const double tall = std::tan(0.5 * camera.view_angle);
  const double wide = tall * width / height;
  forward_ = forward.cast<float>();
  right_ = (wide * right).cast<float>();
  up_ = (tall * up).cast<float>();
}

}  // namespace repose::render
