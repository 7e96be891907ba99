#pragma once

#include <optional>
#include <span>
#include <variant>

#include "repose/math/interval.h"
#include "repose/math/pose.h"
#include "repose/prove/answer.h"
#include "repose/shape/form.h"

namespace repose::prove {

// A plane is a certificate: whoever found it, how far it parts two convex bodies follows from how
// far each reaches along its normal, and that has a formula. Everything is worked out in intervals
// from coordinates, formulas and poses as they were given.

/// The convex hull of points; they outlive it.
struct Hull {
  std::span<const Vec3> points;
};
/// From z0 to z1 on the z axis.
struct Segment {
  double z0 = 0.0, z1 = 0.0;
};

/// A convex body: all points within `skin` of its core, to `error`; body frame, metres.
struct Convex {
  std::variant<Segment, Hull, shape::EllipsoidForm, shape::SuperellipsoidForm, shape::FrustumForm>
      core;
  double skin = 0.0, error = 0.0;
};

/// Doubles, or numbers 2000 times finer at five times the cost.
enum class Numbers { plain, fine };

/// No more than the signed gap of a and b: a point of one within the other leaves it along the
/// normal within the overlap of their spans. `normal`: frame of a, from a to b; any length but 0.
double apart_along(const Convex& a, const Pose& world_from_a, const Convex& b,
                   const Pose& world_from_b, const Vec3& normal, Numbers numbers = Numbers::plain);

/// Endless ground: all below z = 0 of its frame.
class Ground {
 public:
  explicit Ground(const Pose& world_from_ground);

  /// The gap of the ground and a body.
  Bracket gap(const Convex& body, const Pose& world_from_body) const;
  Bracket gap_of_ball(const Vec3& center_world, double radius) const;

 private:
  IVec3 up_;
  Vec3 origin_;
};

/// All of the frustum at least `depth` below its surface, or a little more; nothing where none of
/// it lies so deep.
std::optional<shape::FrustumForm> drawn_in(const shape::FrustumForm& f, double depth);

/// The signed gap of two balls, and of a ball with all points within `tube` of the circle of radius
/// `ring` about the z axis of a frame, to `error`; centres in the world.
Bracket ball_ball(const Vec3& center_a, double radius_a, const Vec3& center_b, double radius_b);
Bracket ball_torus(const Vec3& center, double radius, const Pose& world_from_torus, double ring,
                   double tube, double error = 0.0);

}  // namespace repose::prove
