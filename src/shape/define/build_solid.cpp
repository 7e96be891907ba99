#include "shape/define/build_solid.h"

#include <cmath>

#include "shape/mass/solid_moments.h"
#include "shape/mass/union_moments.h"
#include "shape/sew/sew.h"
#include "shape/tessellate/tessellate_flat.h"

namespace repose::shape {
namespace {

/// Mesh for the bounding ball; its error widens the ball.
constexpr double kBallChord = 2e-3;
constexpr int kBallTriangles = 20000;

double rough_size(const std::vector<PatchPtr>& patches) {
  constexpr int kSamples = 8;
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (const PatchPtr& patch : patches) {
    const UvBox d = patch->domain();
    for (int i = 0; i <= kSamples; ++i)
      for (int j = 0; j <= kSamples; ++j) {
        const Vec3 p =
            patch->point(d.u0 + (d.u1 - d.u0) * i / kSamples, d.v0 + (d.v1 - d.v0) * j / kSamples);
        low = low.cwiseMin(p);
        high = high.cwiseMax(p);
      }
  }
  return (high - low).norm();
}

}  // namespace

VolumeProperties symmetric_properties(double volume, double area, const Vec3& center,
                                      const Vec3& mean_squares) {
  VolumeProperties out;
  out.volume = volume;
  out.area = area;
  out.center = center;
  const Vec3 s = volume * mean_squares;
  out.inertia = Vec3(s.y() + s.z(), s.z() + s.x(), s.x() + s.y()).asDiagonal();
  return out;
}

BoundingBall ball_about(const Solid& solid, double rough_size) {
  TessellateSettings settings;
  settings.max_triangles = kBallTriangles;
  const Tessellation mesh = tessellate_patches(solid, kBallChord * rough_size, settings);
  BoundingBall ball = min_ball(mesh.points);
  ball.radius += mesh.chord_error;
  return ball;
}

VolumeProperties solid_properties(const Solid& solid, const BoundingBall& ball) {
  const double size = 2.0 * ball.radius;
  if (solid.parts.size() == 1) return part_properties(solid.parts[0], ball.center, size);
  return union_properties(solid, ball.center, size);
}

Result<ShapePtr> build_solid(const std::string& kind, const std::vector<PatchPtr>& patches,
                             const SewInput& sew_input, const std::string& pointer) {
  const double size = rough_size(patches);
  if (auto bad = check_length(pointer, size)) {
    bad->wrong = "the patches together have no proper size: " + bad->wrong;
    return *bad;
  }
  auto solid = sew(patches, size, sew_input, pointer);
  if (!solid) return solid.error();
  const BoundingBall ball = ball_about(*solid, size);
  if (auto bad = check_length(pointer, ball.radius)) return *bad;
  const VolumeProperties volume = solid_properties(*solid, ball);
  if (!(volume.volume > 0.0) || !volume.inertia.allFinite())
    return fault(pointer, number_text(volume.volume), "the surface encloses no volume",
                 "patches around some material");
  return finished(kind, std::move(*solid), ball, volume);
}

Result<ShapePtr> build_known_solid(const std::string& kind, const std::vector<PatchPtr>& patches,
                                   const BoundingBall& ball, const VolumeProperties& volume) {
  auto solid = sew(patches, 2.0 * ball.radius, {}, "");
  if (!solid) {
    InputError error = solid.error();
    error.right = "proportions of at most 1 : 1e5";
    return error;
  }
  return finished(kind, std::move(*solid), ball, volume);
}

}  // namespace repose::shape
