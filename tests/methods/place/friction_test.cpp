#include <cmath>
#include <numbers>

#include "methods/place/place_scene.h"

namespace repose::place {
namespace {

constexpr double kFriction = 0.5;

/// A block just above an incline that falls along the direction `heading`, with tan(slope) =
/// `share` of the friction coefficient.
PlaceScene incline(double share, double heading) {
  PlaceScene s;
  const double slope = std::atan(share * kFriction);
  s.frame.rotation = rotation_from_vector(slope * Vec3(std::cos(heading), std::sin(heading), 0.0));
  s.add_ground();
  s.add(shape::make_box({Vec3(1.0, 0.8, 0.3)}), {Vec3(0, 0, 0.1500001), Quat::Identity()}, false);
  s.problem.gravity = Vec3(0.0, 0.0, -9.81);
  for (Body& body : s.problem.bodies) body.material.friction = kFriction;
  return s;
}

TEST(PlaceFriction, a_block_holds_on_an_incline_just_below_the_cone_and_slides_just_above) {
  for (const double heading : {0.0, 0.1, 0.196, 0.7}) {
    PlaceScene below = incline(0.99, heading);
    const StepReport held = below.run({{"friction", true}}, 40);
    EXPECT_EQ(held.status, RunStatus::rest) << heading << ": " << held.why;
    PlaceScene above = incline(1.01, heading);
    const StepReport slides = above.run({{"friction", true}}, 40);
    EXPECT_EQ(slides.status, RunStatus::moving) << heading << ": " << slides.why;
    EXPECT_GT((above.where(1).position - Vec3(0, 0, 0.15)).norm(), 1.0) << heading;
  }
}

TEST(PlaceFriction, without_friction_the_block_slides_on_any_incline) {
  PlaceScene s = incline(0.2, 0.3);
  EXPECT_EQ(s.run({}, 12).status, RunStatus::moving);
}

}  // namespace
}  // namespace repose::place
