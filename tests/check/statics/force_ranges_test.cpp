#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "repose/check/verdict.h"

#include "check/shapes.h"

namespace repose::check {
namespace {

constexpr double kWeight = 9.81;
constexpr double kHalfPi = std::numbers::pi / 2;

PlacedBody fixed(PlacedBody item) {
  item.fixed = true;
  return item;
}

Input box_on_ground(double friction) {
  Input input;
  input.bodies = {fixed(at(ground(), Vec3::Zero())),
                  at(box_mesh(Vec3(1, 1, 0.5)), Vec3(0, 0, 0.25))};
  for (PlacedBody& item : input.bodies) item.friction = friction;
  return input;
}

TEST(Forces, four_feet_share_the_weight_where_nothing_else_decides) {
  for (const double friction : {0.0, 0.6}) {
    const Verdict v = check(box_on_ground(friction));
    ASSERT_EQ(v.contacts.size(), 4u);
    EXPECT_TRUE(v.balance.least_norm);
    for (std::size_t c = 0; c < 4; ++c) {
      EXPECT_LT((v.balance.forces_on_b[c] - Vec3(0, 0, kWeight / 4)).norm(), 1e-5 * kWeight);
      // one foot may carry nothing, or half with the one across the corner
      ASSERT_TRUE(v.ranges[c].known);
      EXPECT_NEAR(v.ranges[c].low, 0.0, 1e-5 * kWeight);
      EXPECT_NEAR(v.ranges[c].high, kWeight / 2, 1e-5 * kWeight);
      EXPECT_FALSE(v.ranges[c].unique(1e-3 * kWeight));
    }
  }
}

TEST(Forces, ranges_between_needles_end_known_or_not) {
  // columns that differ by rounding alone, on which the simplex method went round for ever
  Input input;
  input.gravity = Vec3::Zero();
  const Quat leaning(0.7071067811865476, 0.6772854614785963, 0.20318563844357887, 0.0);
  input.bodies = {at(cylinder(1e-9, 4.0), Vec3::Zero()),
                  at(cylinder(1e-9, 4.0), Vec3::Zero(), leaning)};
  input.bodies.front().frozen = {true, false, false, false, true, true};
  const Verdict v = check(input);
  EXPECT_EQ(v.overlap, Answer::missed);
  for (const ForceRange& range : v.ranges) EXPECT_TRUE(!range.known || range.low <= range.high);
}

TEST(Forces, forces_that_statics_decides_have_no_range) {
  Input input;
  const double half_root = std::sqrt(0.5);
  input.bodies = {fixed(at(ground(), Vec3::Zero(), rotation_from_vector(Vec3(0, kHalfPi / 2, 0)))),
                  fixed(at(ground(), Vec3::Zero(), rotation_from_vector(Vec3(0, -kHalfPi / 2, 0)))),
                  at(ball(1.0), Vec3(0, 0, std::sqrt(2.0)))};
  for (PlacedBody& item : input.bodies) item.friction = 0.0;
  const Verdict v = check(input);
  ASSERT_EQ(v.ranges.size(), 2u);
  for (std::size_t c = 0; c < 2; ++c) {
    EXPECT_NEAR(v.balance.forces_on_b[c].norm(), half_root * kWeight, 1e-6 * kWeight);
    EXPECT_NEAR(v.ranges[c].low, half_root * kWeight, 1e-5 * kWeight);
    EXPECT_NEAR(v.ranges[c].high, half_root * kWeight, 1e-5 * kWeight);
    EXPECT_TRUE(v.ranges[c].unique(1e-4 * kWeight));
  }
}

TEST(Forces, a_ball_clamped_between_walls_may_be_pressed_without_bound) {
  Input input;
  input.bodies = {fixed(at(ground(), Vec3(-1, 0, 0), rotation_from_vector(Vec3(0, kHalfPi, 0)))),
                  fixed(at(ground(), Vec3(1, 0, 0), rotation_from_vector(Vec3(0, -kHalfPi, 0)))),
                  at(ball(1.0), Vec3::Zero())};
  for (PlacedBody& item : input.bodies) item.friction = 0.5;
  const Verdict v = check(input);
  ASSERT_EQ(v.balanced, Answer::proven) << v.why;
  ASSERT_EQ(v.ranges.size(), 2u);
  EXPECT_TRUE(v.balance.least_norm);
  for (std::size_t c = 0; c < 2; ++c) {
    // each wall must press with at least W / (2 mu) so that friction carries half the weight
    const double normal = v.balance.forces_on_b[c].dot(v.contacts[c].normal_a_to_b);
    EXPECT_NEAR(normal, kWeight, 1e-4 * kWeight);
    EXPECT_GE(v.ranges[c].low, kWeight * (1 - 1e-6));
    EXPECT_LE(v.ranges[c].low, kWeight * 1.03) << "the pyramid lies within the cone";
    EXPECT_TRUE(std::isinf(v.ranges[c].high));
  }
}

TEST(Forces, the_least_norm_is_below_that_of_any_other_balance) {
  // a plank on three balls in a row: the middle one may carry anything up to the weight
  Input input;
  for (const double x : {-1.0, 0.0, 1.0})
    input.bodies.push_back(fixed(at(ball(0.5), Vec3(x, 0, -0.5))));
  input.bodies.push_back(at(box_mesh(Vec3(3, 1, 0.2)), Vec3(0, 0, 0.1)));
  // the plank cannot roll sideways
  input.bodies.back().frozen = {false, false, false, true, false, false};
  for (PlacedBody& item : input.bodies) item.friction = 0.0;
  const Verdict v = check(input);
  ASSERT_EQ(v.contacts.size(), 3u);
  ASSERT_TRUE(v.balance.least_norm);
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_NEAR(v.balance.forces_on_b[c].z(), kWeight / 3, 1e-5 * kWeight);
    EXPECT_NEAR(v.ranges[c].high, std::fabs(v.contacts[c].point.x()) < 0.5 ? kWeight : kWeight / 2,
                1e-4 * kWeight);
  }
}

TEST(Forces, joints_react_and_ropes_only_pull) {
  Input input;
  input.bodies = {at(ball(0.2), Vec3(0, 0, 1))};
  Restraint rope;
  rope.name = "rope";
  rope.body_b = 0;
  rope.point_world = Vec3(0, 0, 1.2);
  rope.forces = {Vec3::UnitZ()};
  rope.min = 0.0;
  input.restraints = {rope};
  Verdict v = check(input);
  EXPECT_EQ(v.balanced, Answer::proven) << v.why;
  ASSERT_EQ(v.balance.reactions.size(), 1u);
  EXPECT_NEAR(v.balance.reactions[0].force_on_b.z(), kWeight, 1e-5 * kWeight);
  // hung from below it would have to push
  input.restraints[0].forces = {-Vec3::UnitZ()};
  v = check(input);
  EXPECT_EQ(v.balanced, Answer::missed);
  EXPECT_EQ(v.stability.witness.body, 0);
  EXPECT_LT(v.stability.witness.velocity.z(), -0.5);
}

TEST(Forces, a_beam_on_a_pin_and_a_post_halves_its_weight) {
  Input input;
  input.bodies = {fixed(at(ball(0.5), Vec3(1, 0, -0.6))),
                  at(box_mesh(Vec3(2.2, 0.2, 0.2)), Vec3::Zero())};
  for (PlacedBody& item : input.bodies) item.friction = 0.0;
  Restraint pin;
  pin.name = "pin";
  pin.body_b = 1;
  pin.point_world = Vec3(-1, 0, 0);
  pin.forces = {Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
  pin.torques = {Vec3::UnitX(), Vec3::UnitZ()};
  input.restraints = {pin};
  const Verdict v = check(input);
  EXPECT_EQ(v.balanced, Answer::proven) << v.why;
  EXPECT_EQ(v.stability.kind, StabilityClass::stable);
  ASSERT_EQ(v.contacts.size(), 1u);
  EXPECT_NEAR(v.balance.forces_on_b[0].z(), kWeight / 2, 1e-5 * kWeight);
  EXPECT_NEAR(v.balance.reactions[0].force_on_b.z(), kWeight / 2, 1e-5 * kWeight);
  EXPECT_LT(v.balance.reactions[0].torque_on_b.norm(), 1e-5 * kWeight);
}

TEST(Forces, contacts_tell_place_normal_and_gap) {
  Input input;
  const double gap = 4e-6;  // of a body of size 6: it touches
  input.bodies = {fixed(at(ground(), Vec3::Zero())),
                  at(ellipsoid(Vec3(3, 2, 1)), Vec3(0.5, -0.25, 1 + gap))};
  std::vector<ContactPoint> found = find_contacts(input.bodies[0], input.bodies[1]);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].gap, gap, 1e-9);
  EXPECT_LT((found[0].point - Vec3(0.5, -0.25, 0)).norm(), 1e-4);
  EXPECT_LT((found[0].normal_a_to_b - Vec3::UnitZ()).norm(), 1e-6);
  // principal curvatures c/a^2 and c/b^2
  EXPECT_NEAR(found[0].curvature_b(0, 0), 1.0 / 9, 1e-3);
  EXPECT_NEAR(found[0].curvature_b(1, 1), 1.0 / 4, 1e-3);
  input.bodies[1] = at(box_mesh(Vec3(1, 2, 3)), Vec3(0, 0, 1.5 + 1e-7));
  found = find_contacts(input.bodies[0], input.bodies[1]);
  ASSERT_EQ(found.size(), 4u);
  for (const ContactPoint& c : found) EXPECT_NEAR(c.gap, 1e-7, 1e-12);
  // farther than the touching distance there are none
  input.bodies[1].world_from_body.position.z() = 1.5 + 1e-4;
  EXPECT_TRUE(find_contacts(input.bodies[0], input.bodies[1]).empty());
}

TEST(Forces, the_verdict_as_json_has_every_field) {
  const Input input = box_on_ground(0.5);
  const std::string text = to_json(check(input), input).tall();
  for (const char* field :
       {"\"verdict\"", "\"gap\"", "\"lower\"", "\"upper\"", "\"pair\"", "\"points\"",
        "\"overlaps\"", "\"balance\"", "\"residual\"", "\"per_body\"", "\"stability\"", "\"class\"",
        "\"margins\"", "\"witness\"", "\"seconds\"", "\"normal_range\"", "\"why\""})
    EXPECT_NE(text.find(field), std::string::npos) << field;
}

TEST(Forces, why_is_never_empty) {
  Settings settings;
  settings.judge_balance = false;
  EXPECT_FALSE(check(box_on_ground(0.5), settings).why.empty());
  settings = {};
  settings.judge_stability = false;
  EXPECT_FALSE(check(box_on_ground(0.5), settings).why.empty());
  EXPECT_FALSE(check(Input{}).why.empty());
}

}  // namespace
}  // namespace repose::check
