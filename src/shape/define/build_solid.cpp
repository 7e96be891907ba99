#include "shape/define/build_solid.h"

#include <cmath>

#include <fmt/format.h>

#include "shape/mass/solid_moments.h"
#include "shape/mass/union_moments.h"
#include "shape/mass/volume_bounds.h"
#include "shape/sew/sew.h"
#include "shape/tessellate/tessellate.h"

namespace repose::shape {
namespace {

/// Mesh for the bounding ball; its error widens the ball.
constexpr double kBallChord = 2e-3;
constexpr int kBallTriangles = 20000;

/// How far apart proven bounds of the volume may be, as a share of it, and what may be spent on
/// them.
constexpr double kVolumeDoubt = 0.1;
/// The same beside what a thin body's sides add and take away.
constexpr double kTurnoverDoubt = 0.25;
constexpr int kMaxBoundCells = 8000;
/// The quadrature's own estimate of its relative error may be this large.
constexpr double kWorstEstimate = 1e-2;
/// Seams of known solids that are too thin for the usual gap count as one within this, of size.
constexpr double kFinestGap = 1e-11;
/// Two rules agree on a volume to this share of it.
constexpr double kRulesAgree = 1e-3;

InputError too_fine(const std::string& pointer, std::string value) {
  return fault(pointer, std::move(value), "the surface varies too finely to be measured",
               "patches that vary less over their domain, or more of them");
}

bool is_narrow(const VolumeBounds& known, double enough) {
  return known.volume.width() <= std::max(enough, kTurnoverDoubt * known.turnover);
}

/// The quadrature's volume of a part lies within proven bounds, and they are narrow. Where they are
/// not, as for a thin shell, they are narrow beside what its sides add and take away, and another
/// rule on cells that enclosures have chosen agrees: nothing between the nodes has fooled the
/// first.
Fault check_volume(const Part& part, const VolumeProperties& found, const Vec3& reference,
                   const std::string& pointer) {
  const double enough = kVolumeDoubt * std::max(found.volume, 0.0);
  const VolumeBounds known = volume_bounds(part, reference, enough, kMaxBoundCells);
  const bool narrow = is_narrow(known, enough);
  if (narrow && !(found.volume > 0.0))
    return fault(pointer, number_text(found.volume), "the surface encloses no volume",
                 "patches around some material");
  const bool agree =
      !known.by_cells || std::fabs(*known.by_cells - found.volume) <= kRulesAgree * found.volume;
  if (narrow && agree && known.volume.contains(found.volume) && found.error <= kWorstEstimate)
    return {};
  return too_fine(pointer, fmt::format("{:.6g} m3 by quadrature, proven: {:.6g} to {:.6g} m3",
                                       found.volume, known.volume.lo, known.volume.hi));
}

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

/// Every part by itself: what their union adds to the error is estimated, not proven.
Fault check_parts(const Solid& solid, const VolumeProperties& whole, const BoundingBall& ball,
                  const std::string& pointer) {
  for (const Part& part : solid.parts) {
    const bool alone = solid.parts.size() == 1;
    const VolumeProperties found =
        alone ? whole : part_properties(part, ball.center, 2.0 * ball.radius);
    if (auto bad = check_volume(part, found, ball.center, pointer)) return bad;
  }
  return {};
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

Result<ShapePtr> build_solid(ShapeKind kind, const std::vector<PatchPtr>& patches,
                             const SewInput& sew_input, const std::string& pointer) {
  const double size = rough_size(patches);
  if (auto bad = check_length(pointer, size)) {
    bad->wrong = "the patches together have no proper size: " + bad->wrong;
    return *bad;
  }
  auto solid = sew(patches, size, sew_input, pointer);
  if (!solid) return solid.error();
  const BoundingBall ball = ball_about(*solid, size);
  if (check_length(pointer, ball.radius))
    return too_fine(pointer, fmt::format("a ball of {:.6g} m about it", ball.radius));
  const VolumeProperties volume = solid_properties(*solid, ball);
  if (auto bad = check_parts(*solid, volume, ball, pointer)) return *bad;
  if (!(volume.volume > 0.0) || !volume.inertia.allFinite())
    return fault(pointer, number_text(volume.volume), "the surface encloses no volume",
                 "patches around some material");
  return finished(kind, std::move(*solid), ball, volume);
}

double area_of(const std::vector<PatchPtr>& patches) {
  const double size = rough_size(patches);
  const auto solid = sew(patches, size, {}, "");
  return solid ? solid_properties(*solid, ball_about(*solid, size)).area : 0.0;
}

Result<ShapePtr> build_known_solid(ShapeKind kind, const std::vector<PatchPtr>& patches,
                                   const BoundingBall& ball, const VolumeProperties& volume) {
  auto solid = sew(patches, 2.0 * ball.radius, {}, "", true);
  // patches made by formula meet to rounding: thin bodies are sewn finer, so that no rim as wide as
  // the gap counts as a point and leaves its side and its ends for bodies of their own
  if (!solid || solid->parts.size() > 1) {
    auto finer = sew(patches, 2.0 * ball.radius, {.gap_fraction = kFinestGap}, "", true);
    if (!solid || finer) solid = std::move(finer);
  }
  if (!solid) {
    InputError error = solid.error();
    error.right = "proportions of at most 1 : 1e10";
    return error;
  }
  return finished(kind, std::move(*solid), ball, volume);
}

}  // namespace repose::shape
