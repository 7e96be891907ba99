#include <cmath>
#include <optional>

#include "repose/shape/form.h"

#include "convex.h"

namespace repose::pile {
namespace {

/// A formula may differ from the part's surface by this share of the union's bounding radius:
/// rounding.
constexpr double kRounding = 1e-13;

/// The segment from z0 to z1 on the part's axis, grown by a radius.
Convex grown_segment(const Pose& pose, double z0, double z1, double radius) {
  Convex out;
  out.points = {pose * Vec3(0.0, 0.0, z0)};
  if (z1 > z0) out.points.push_back(pose * Vec3(0.0, 0.0, z1));
  out.radius = radius;
  return out;
}

/// One convex set for a part of a union; none where it needs more, or its formula is not known.
std::optional<Convex> as_one_piece(const shape::PlacedPart& part) {
  const shape::Form form = shape::form_of(*part.shape);
  if (!(part.error + form.error <= kRounding * part.shape->bounding_radius)) return {};
  if (const auto* capsule = std::get_if<shape::CapsuleForm>(&form.is))
    return grown_segment(part.pose, capsule->z0, capsule->z1, capsule->radius);
  if (const auto* ball = std::get_if<shape::EllipsoidForm>(&form.is)) {
    const double radius = ball->semi_axes.x();
    if (ball->semi_axes != Vec3::Constant(radius)) return {};
    return grown_segment(part.pose, 0.0, 0.0, radius);
  }
  return {};
}

}  // namespace

std::vector<Convex> union_pieces(const shape::Shape& shape) {
  std::vector<Convex> out;
  const auto parts = shape::parts_of_union(shape);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (auto piece = as_one_piece(parts[i])) {
      out.push_back(std::move(*piece));
      continue;
    }
    const shape::Solid alone{{std::get<shape::Solid>(shape.geometry).parts[i]}};
    for (Convex& cell : cell_pieces(alone, shape.bounding_radius)) out.push_back(std::move(cell));
  }
  return out;
}

}  // namespace repose::pile
