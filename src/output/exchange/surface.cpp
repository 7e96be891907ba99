#include "surface.h"

#include <cmath>
#include <numbers>

#include <Eigen/Geometry>

namespace repose::exchange {
namespace {

/// Ground reaches this many times the bodies' span beyond their middle.
constexpr double kGroundReach = 2.0;

Surface plate(double half_width) {
  const double w = half_width;
  return {{{-w, -w, 0.0}, {w, -w, 0.0}, {w, w, 0.0}, {-w, w, 0.0}},
          std::vector<Vec3>(4, Vec3::UnitZ()),
          {{0, 1, 2}, {0, 2, 3}}};
}

// every triangle with its own corners and normal
Surface faceted(const DrawingShape& shape) {
  Surface out;
  for (const auto& t : shape.triangles) {
    const Vec3& a = shape.points[static_cast<std::size_t>(t[0])];
    const Vec3& b = shape.points[static_cast<std::size_t>(t[1])];
    const Vec3& c = shape.points[static_cast<std::size_t>(t[2])];
    Vec3 normal = (b - a).cross(c - a).stableNormalized();
    if (normal.isZero()) normal = Vec3::UnitZ();
    const int first = static_cast<int>(out.points.size());
    for (const Vec3& p : {a, b, c}) {
      out.points.push_back(p);
      out.normals.push_back(normal);
    }
    out.triangles.push_back({first, first + 1, first + 2});
  }
  return out;
}

}  // namespace

Surface ball_surface(double radius, int rings) {
  Surface out;
  const int around = 2 * rings;
  for (int j = 0; j <= rings; ++j)
    for (int i = 0; i <= around; ++i) {
      const double a = 2.0 * std::numbers::pi * i / around, b = std::numbers::pi * j / rings;
      const Vec3 n(std::sin(b) * std::cos(a), std::sin(b) * std::sin(a), std::cos(b));
      out.normals.push_back(n);
      out.points.push_back(radius * n);
    }
  for (int j = 0; j < rings; ++j)
    for (int i = 0; i < around; ++i) {
      const int at = j * (around + 1) + i, below = at + around + 1;
      if (j > 0) out.triangles.push_back({at, below, at + 1});
      if (j + 1 < rings) out.triangles.push_back({at + 1, below, below + 1});
    }
  return out;
}

Surface surface_of(const DrawingShape& shape, double ground_half_width) {
  switch (shape.form) {
    case DrawingForm::ball:
      return ball_surface(shape.radius, kBallRings);
    case DrawingForm::half_space:
      return plate(ground_half_width);
    case DrawingForm::mesh:
      if (shape.normals.empty()) return faceted(shape);
      return {shape.points, shape.normals, shape.triangles};
    case DrawingForm::spheres:
    case DrawingForm::surfels:
      break;
  }
  return {};
}

double ground_half_width(const std::vector<Vec3>& positions, double largest_body) {
  Eigen::AlignedBox3d box;
  for (const Vec3& p : positions) box.extend(p);
  const double span = (box.isEmpty() ? 0.0 : box.diagonal().norm()) + largest_body;
  return span > 0.0 ? kGroundReach * span : 1.0;
}

}  // namespace repose::exchange
