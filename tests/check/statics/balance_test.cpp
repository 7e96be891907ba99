#include <cmath>

#include <gtest/gtest.h>

#include "repose/base/stage_clock.h"
#include "repose/check/verdict.h"

#include "check/items.h"
#include "check/shapes.h"

namespace repose::check {
namespace {

Input on_ground(std::vector<PlacedBody> bodies) {
  Input input;
  input.bodies.push_back(at(ground(), Vec3::Zero()));
  input.bodies[0].fixed = true;
  input.bodies[0].name = "ground";
  for (PlacedBody& item : bodies) {
    item.name = "body " + std::to_string(input.bodies.size());
    input.bodies.push_back(std::move(item));
  }
  return input;
}

TEST(Balance, a_ball_on_the_ground_rests_and_one_in_the_air_falls) {
  const Verdict rest = check(on_ground({at(ball(1.0), Vec3(0, 0, 1))}));
  EXPECT_EQ(rest.answer, Answer::proven) << rest.why;
  EXPECT_EQ(rest.stability.kind, StabilityClass::stable);
  ASSERT_EQ(rest.balance.forces_on_b.size(), 1u);
  EXPECT_NEAR(rest.balance.forces_on_b[0].z(), 9.81, 1e-5);
  const Verdict air = check(on_ground({at(ball(1.0), Vec3(0, 0, 1.1))}));
  EXPECT_EQ(air.answer, Answer::missed);
  EXPECT_EQ(air.overlap, Answer::proven);
  EXPECT_EQ(air.stability.kind, StabilityClass::unstable);
  EXPECT_EQ(air.stability.witness.body, 1);
  EXPECT_LT(air.stability.witness.velocity.z(), -0.9);
}

TEST(Balance, a_ball_sunk_into_the_ground_is_missed) {
  const Verdict v = check(on_ground({at(ball(1.0), Vec3(0, 0, 1.0 - 1e-6))}));
  EXPECT_EQ(v.overlap, Answer::missed);
  EXPECT_EQ(v.overlaps.size(), 1u);
  EXPECT_EQ(v.answer, Answer::missed);
}

TEST(Balance, a_ball_on_a_ball_is_balanced_but_not_stable) {
  const Input input = on_ground({at(ball(1.0), Vec3(0, 0, 1)), at(ball(1.0), Vec3(0, 0, 3))});
  const Verdict v = check(input);
  EXPECT_EQ(v.balanced, Answer::proven) << v.why;
  EXPECT_EQ(v.stability.kind, StabilityClass::metastable);
  EXPECT_EQ(v.stability.witness.body, 2);
}

TEST(Balance, two_discs_in_a_slot_press_as_the_closed_form_says) {
  // two unit balls between walls 3 apart: W 2/sqrt 3 between them, W/sqrt 3 on the walls
  Input input =
      on_ground({at(ball(1.0), Vec3(1, 0, 1)), at(ball(1.0), Vec3(2, 0, 1 + std::sqrt(3.0)))});
  const double half_pi = std::acos(0.0);
  input.bodies.push_back(at(ground(), Vec3::Zero(), rotation_from_vector(Vec3(0, half_pi, 0))));
  input.bodies.push_back(at(ground(), Vec3(3, 0, 0), rotation_from_vector(Vec3(0, -half_pi, 0))));
  for (std::size_t i : {3, 4}) input.bodies[i].fixed = true;
  for (PlacedBody& item : input.bodies) item.friction = 0.0;
  const Verdict v = check(input);
  EXPECT_EQ(v.answer, Answer::proven) << v.why;
  ASSERT_EQ(v.contacts.size(), 4u);
  for (std::size_t c = 0; c < 4; ++c) {
    const double f = v.balance.forces_on_b[c].norm() / 9.81;
    const ContactPoint& at_c = v.contacts[c];
    if (at_c.body_a == 0)
      EXPECT_NEAR(f, 2.0, 1e-6);
    else if (at_c.body_a == 1 && at_c.body_b == 2)
      EXPECT_NEAR(f, 1.1547005384, 1e-6);
    else
      EXPECT_NEAR(f, 0.5773502692, 1e-6);
  }
}

/// Balls without friction between four walls: each in the hollow of four below it.
Input layers_between_walls(int wide, int high) {
  std::vector<PlacedBody> bodies;
  const auto shared = ball(1.0);
  const double rise = std::sqrt(2.0), far = 2.0 * wide, half_pi = std::acos(0.0);
  for (int k = 0; k < high; ++k)
    for (int i = 0; i < wide; ++i)
      for (int j = 0; j < wide; ++j) {
        const double shift = k % 2;
        PlacedBody item = at(shared, Vec3(2.0 * i + shift, 2.0 * j + shift, 1.0 + k * rise));
        item.friction = 0.0;
        bodies.push_back(item);
      }
  Input input = on_ground(std::move(bodies));
  input.bodies.push_back(at(ground(), Vec3(-1, 0, 0), rotation_from_vector(Vec3(0, half_pi, 0))));
  input.bodies.push_back(at(ground(), Vec3(far, 0, 0), rotation_from_vector(Vec3(0, -half_pi, 0))));
  input.bodies.push_back(at(ground(), Vec3(0, -1, 0), rotation_from_vector(Vec3(-half_pi, 0, 0))));
  input.bodies.push_back(at(ground(), Vec3(0, far, 0), rotation_from_vector(Vec3(half_pi, 0, 0))));
  for (std::size_t i = input.bodies.size() - 4; i < input.bodies.size(); ++i)
    input.bodies[i].fixed = true;
  return input;
}

TEST(Balance, thousands_of_balls_in_layers_balance_in_time) {
  const double start = cpu_seconds();
  const Verdict v = check(layers_between_walls(13, 13));
  EXPECT_EQ(v.answer, Answer::proven) << v.why;
  EXPECT_LT(cpu_seconds() - start, 10.0);
}

TEST(Balance, walls_that_carry_nothing_do_not_hide_how_high_a_stack_is) {
  const Verdict v = check(layers_between_walls(5, 60));
  EXPECT_EQ(v.balanced, Answer::proven) << v.why;
}

TEST(Balance, no_work_is_spent_far_below_the_threshold) {
  // a square pyramid of rough balls; the residual sought is some hundredths of what is asked for
  std::vector<PlacedBody> bodies;
  const auto shared = ball(1.0);
  for (int k = 0; k < 4; ++k)
    for (int i = 0; i < 4 - k; ++i)
      for (int j = 0; j < 4 - k; ++j) {
        PlacedBody item = at(shared, Vec3(2.0 * i + k, 2.0 * j + k, 1.0 + k * std::sqrt(2.0)));
        item.friction = 0.6;
        bodies.push_back(item);
      }
  Input input = on_ground(std::move(bodies));
  input.bodies[0].friction = 0.6;
  Settings settings;
  settings.judge_stability = false;
  const auto contacts = check(input, settings).contacts;
  int coarse = 0;
  for (const double asked : {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
    const Balance b = balance(input, contacts, 1.0, {.balanced = asked, .least_norm_bodies = 0});
    EXPECT_TRUE(b.balanced) << asked;
    EXPECT_LT(b.residual, 0.1 * asked) << "the verdict would be noise";
    EXPECT_GT(b.residual, 1e-4 * asked) << "more than was asked for";
    if (coarse == 0) coarse = b.steps;
    EXPECT_GE(b.steps, coarse);
  }
  EXPECT_LT(coarse, 600);
}

TEST(Balance, what_stands_is_never_missed_however_unlike_the_weights) {
  for (const double ratio : {1.0, 1e3, 1e6, 1e9, 1e12}) {
    PlacedBody light = at(box_mesh(Vec3(1, 1, 1)), Vec3(0, 0, 0.5)),
               heavy = at(box_mesh(Vec3(1, 1, 1)), Vec3(0, 0, 1.5));
    heavy.mass = ratio;
    const Verdict v = check(on_ground({light, heavy}));
    EXPECT_NE(v.balanced, Answer::missed) << ratio << ' ' << v.why;
    if (ratio < 10.0) {
      EXPECT_EQ(v.balanced, Answer::proven) << v.why;
    }
    // with its middle beyond the edge it falls
    heavy.world_from_body.position.x() = 0.9;
    const Verdict falls = check(on_ground({light, heavy}));
    EXPECT_NE(falls.balanced, Answer::proven) << ratio;
  }
}

TEST(Balance, ropes_that_are_nearly_level_carry_many_times_the_weight) {
  for (const double slope : {0.3, 1e-1, 1e-2, 1e-3})
    for (const bool above : {true, false}) {
      Input input;
      input.bodies = {at(ball(0.1), Vec3::Zero())};
      for (const double side : {-1.0, 1.0}) {
        Restraint rope;
        rope.body_a = 0;
        rope.point_world = Vec3::Zero();
        rope.span_world = Vec3(side, 0, above ? slope : -slope);
        rope.forces = {-rope.span_world.normalized()};  // on the world, the opposite on the ball
        rope.min = 0.0;
        input.restraints.push_back(rope);
      }
      const Verdict v = check(input);
      EXPECT_EQ(v.balanced, above ? Answer::proven : Answer::missed) << slope << ' ' << v.why;
    }
}

}  // namespace
}  // namespace repose::check
