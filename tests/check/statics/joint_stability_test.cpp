// Stability of what joints and springs hold: pendulums and masses on springs, whose energy is known
// by hand, at three scales and in several places.
#include <cmath>

#include <gtest/gtest.h>

#include "repose/check/verdict.h"
#include "repose/shape/make.h"

#include "check/items.h"

namespace repose::check {
namespace {

constexpr double kWeight = 9.81;  // N of one kilogram

/// A brick of one kilogram whose middle is the origin, in a world moved and scaled as a whole.
struct Held {
  Input input;
  Pose moved;
  double scale;

  Held(const Pose& world, double size) : moved(world), scale(size) {
    input.gravity = moved.turn(Vec3(0.0, 0.0, -kWeight));
    input.bodies.push_back(
        at(shape::make_box({scale * Vec3(0.2, 0.3, 0.4)}).value(), moved.position, moved.rotation));
    input.bodies.back().mass = 1.0;
    input.bodies.back().name = "brick";
  }
  Vec3 place(const Vec3& point) const { return moved * (scale * point); }
  Restraint joint(const Vec3& point) const {
    Restraint out;
    out.body_a = 0;
    out.point_world = place(point);
    return out;
  }
  void pin(const Vec3& point) {
    Restraint out = joint(point);
    out.forces = {Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
    input.restraints.push_back(out);
  }
  /// From a point of the brick to one of the world.
  void rod(const Vec3& point, const Vec3& to, bool rope = false) {
    Restraint out = joint(point);
    out.span_world = moved.turn(scale * (to - point));
    out.forces = {-out.span_world.normalized()};
    if (rope) out.min = 0.0;
    input.restraints.push_back(out);
  }
  /// Carries the whole weight along its line at the length it has.
  void spring(const Vec3& point, const Vec3& to, double pull, double stiffness) {
    const Vec3 at = place(point), far = place(to);
    input.loads.push_back({0, pull * (far - at).normalized(), at, Vec3::Zero()});
    input.ties.push_back({0, -1, at, far, pull, stiffness / scale});
  }
};

template <class Build>
void expect(StabilityClass kind, const char* what, const Build& build) {
  Random random(77);
  for (const double scale : {1e-3, 1.0, 1e3})
    for (int turn = 0; turn < 3; ++turn) {
      Held held(Pose(30.0 * scale * random_direction(random), random_rotation(random)), scale);
      build(held);
      const Verdict said = check(held.input);
      EXPECT_EQ(said.balanced, Answer::proven) << what << ": " << said.why;
      EXPECT_EQ(said.stability.kind, kind) << what << " at scale " << scale << ": " << said.why;
    }
}

TEST(JointStability, a_pendulum_hangs_stably_and_stands_only_for_a_moment) {
  expect(StabilityClass::stable, "hangs", [](Held& h) { h.pin({0, 0, 0.2}); });
  expect(StabilityClass::metastable, "stands", [](Held& h) { h.pin({0, 0, -0.2}); });
  // about an axis through its middle it is level
  expect(StabilityClass::stable, "turns on an axle", [](Held& h) {
    h.pin({0.1, 0, 0});
    h.pin({-0.1, 0, 0});
  });
  expect(StabilityClass::metastable, "stands on an axle", [](Held& h) {
    h.pin({0.1, 0, -0.1});
    h.pin({-0.1, 0, -0.1});
  });
}

TEST(JointStability, what_hangs_on_rods_is_stable_and_what_stands_on_them_is_not) {
  const Vec3 top(0, 0, 0.2), bottom(0, 0, -0.2), up(0, 0, 0.5), left(-0.1, 0, 0), right(0.1, 0, 0);
  expect(StabilityClass::stable, "rod", [&](Held& h) { h.rod(top, top + up); });
  expect(StabilityClass::stable, "rope", [&](Held& h) { h.rod(top, top + up, true); });
  expect(StabilityClass::metastable, "stilt", [&](Held& h) { h.rod(bottom, bottom - up); });
  expect(StabilityClass::stable, "swing", [&](Held& h) {
    for (const Vec3& side : {left, right}) h.rod(top + side, top + side + up, true);
  });
  expect(StabilityClass::metastable, "two stilts", [&](Held& h) {
    for (const Vec3& side : {left, right}) h.rod(bottom + side, bottom + side - up);
  });
}

TEST(JointStability, springs_hold_by_their_stiffness) {
  const Vec3 middle = Vec3::Zero(), up(0, 0, 1.0), x(1.0, 0, 0);
  expect(StabilityClass::stable, "hangs on a spring", [&](Held& h) {
    h.spring({0, 0, 0.1}, up, kWeight, 50.0 * kWeight);
  });
  // pressed from below it goes aside: -weight / length along x and y
  expect(StabilityClass::metastable, "stands on a spring",
         [&](Held& h) { h.spring(middle, -up, -kWeight, 50.0 * kWeight); });
  // ... unless springs from all sides are stiffer than that, and it cannot turn
  for (const double stiffness : {0.3, 3.0})
    expect(stiffness > 1.0 ? StabilityClass::stable : StabilityClass::metastable,
           "stands between springs", [&](Held& h) {
             h.spring(middle, -up, -kWeight, 50.0 * kWeight);
             for (const Vec3& side : {x, Vec3(-x), Vec3(0, 1, 0), Vec3(0, -1, 0)})
               h.spring(middle, side, 0.0, 0.5 * stiffness * kWeight);
           });
}

TEST(JointStability, a_pressed_spring_of_no_length_pushes_nobody_knows_where) {
  for (const double pull : {-1.0, 0.0, 1.0}) {
    Held held({}, 1.0);
    held.input.gravity.setZero();
    held.input.ties.push_back({0, -1, Vec3::Zero(), Vec3::Zero(), pull, 1.0});
    const Verdict calm = check(held.input);
    EXPECT_EQ(calm.balanced, pull < 0.0 ? Answer::undecided : Answer::proven) << calm.why;
    EXPECT_EQ(calm.stability.kind == StabilityClass::stable, pull >= 0.0) << calm.why;
    // what draws the two together may hold a small push
    held.input.loads.push_back({0, Vec3(0.5, 0.0, 0.0), Vec3::Zero(), Vec3::Zero()});
    const Verdict pushed = check(held.input);
    EXPECT_EQ(pushed.balanced, pull == 0.0 ? Answer::missed : Answer::undecided) << pushed.why;
  }
}

TEST(JointStability, pushes_beside_the_middle_turn_as_weights_do) {
  // without gravity: a push up above the middle keeps it upright, the same below tips it
  for (const double height : {0.1, -0.1})
    expect(height > 0.0 ? StabilityClass::stable : StabilityClass::metastable, "push",
           [&](Held& h) {
             h.input.gravity.setZero();
             h.input.loads = {
                 {0, h.moved.turn(Vec3(0, 0, 5.0)), h.place({0, 0, height}), Vec3::Zero()},
                 {0, h.moved.turn(Vec3(0, 0, -5.0)), h.moved.position, Vec3::Zero()}};
           });
}

}  // namespace
}  // namespace repose::check
