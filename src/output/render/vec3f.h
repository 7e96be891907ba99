#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace repose::render {

using Vec3f = Eigen::Vector3f;
using Rgb = Eigen::Array3f;  // linear light

inline constexpr float kPi = std::numbers::pi_v<float>;

inline Rgb rgb(const std::array<float, 3>& color) {
  return {color[0], color[1], color[2]};
}
inline float luminance(const Rgb& c) {
  return 0.2126F * c.x() + 0.7152F * c.y() + 0.0722F * c.z();
}
inline float smoothstep(float low, float high, float x) {
  const float t = std::clamp((x - low) / (high - low), 0.0F, 1.0F);
  return t * t * (3.0F - 2.0F * t);
}
inline Rgb mix(const Rgb& a, const Rgb& b, float t) {
  return a + (b - a) * t;
}

}  // namespace repose::render
