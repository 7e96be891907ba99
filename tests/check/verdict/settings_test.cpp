// What the settings' defaults promise: a pair of cases on either side of each.
#include <cmath>

#include <gtest/gtest.h>

#include "repose/check/moments.h"
#include "repose/check/verdict.h"
#include "repose/poses/poses.h"
#include "repose/shape/make.h"

#include "check/shapes.h"

namespace repose::check {
namespace {

using namespace poses;

Input on_ground(const PlacedBody& body) {
  Input input;
  input.bodies = {at(ground(), Vec3::Zero()), body};
  input.bodies[0].fixed = true;
  return input;
}

TEST(Settings, brackets_close_to_1e_9_of_size_at_small_cost) {
  const PlacedBody ring = at(shape::make_torus({1.0, 0.25}).value(), Vec3::Zero());
  const GapBracket g = gap(ring, at(ball(0.5), Vec3(1.4, 0.3, 0.9)));
  EXPECT_LE(g.width(), 1e-9 * 1.0);
  EXPECT_LT(g.tests, 700);
  const GapBracket h =
      gap(ring, at(shape::make_ellipsoid({Vec3(0.3, 0.4, 0.5)}).value(), Vec3(1.4, 0.3, 0.9)));
  EXPECT_LE(h.width(), 1e-9 * 1.0);
  EXPECT_LT(h.tests, 4000);
  EXPECT_EQ(h.status, GapStatus::closed);
}

TEST(Settings, overlap_beyond_1e_9_of_size_is_missed) {
  for (const double deep : {3e-10, 5e-9}) {
    const Verdict v = check(on_ground(at(ball(0.5), Vec3(0, 0, 0.5 - deep))));
    EXPECT_EQ(v.overlap, deep > 1e-9 ? Answer::missed : Answer::proven) << deep;
  }
}

TEST(Settings, pairs_within_1e_3_of_size_are_looked_at) {
  for (const double far : {5e-4, 5e-3}) {
    const Verdict v = check(on_ground(at(ball(0.5), Vec3(0, 0, 0.5 + far))));
    EXPECT_EQ(v.gap.body_a, far < 1e-3 ? 0 : -1) << far;
    if (far < 1e-3) {
      EXPECT_NEAR(v.gap_relative, far, 1e-12);
      EXPECT_EQ(v.gap.body_b, 1);
    }
  }
}

TEST(Settings, surfaces_within_1e_6_of_size_touch) {
  for (const double far : {5e-7, 2e-6}) {
    const PlacedBody body =
        at(shape::make_ellipsoid({Vec3(0.5, 0.5, 0.5)}).value(), Vec3(0, 0, 0.5 + far));
    EXPECT_EQ(find_contacts(at(ground(), Vec3::Zero()), body).size(), far < 1e-6 ? 1u : 0u) << far;
    EXPECT_EQ(check(on_ground(body)).contacts.size(), far < 1e-6 ? 1u : 0u) << far;
    EXPECT_EQ(
        find_contacts(at(ground(), Vec3::Zero()), at(ball(0.5), Vec3(0, 0, 0.5 + far))).size(),
        far < 1e-6 ? 1u : 0u);
  }
}

TEST(Settings, contacts_along_a_line_are_some_hundredths_of_size_apart) {
  const PlacedBody lying =
      at(cylinder(0.5, 3.0), Vec3(0, 0, 0.5), rotation_from_vector(Vec3(0, std::acos(0.0), 0)));
  const auto line = find_contacts(at(ground(), Vec3::Zero()), lying);
  EXPECT_GE(line.size(), 10u);
  EXPECT_LE(line.size(), 100u);
}

TEST(Settings, a_residual_of_1e_6_of_the_weight_is_balance) {
  for (const double push : {3e-7, 4e-6}) {
    Input input = on_ground(at(ball(0.5), Vec3(0, 0, 0.5)));
    for (PlacedBody& item : input.bodies) item.friction = 0.0;
    input.loads = {{1, Vec3(push * 9.81, 0, 0), Vec3(0, 0, 0.5), Vec3::Zero()}};
    const Verdict v = check(input);
    EXPECT_EQ(v.balanced, push < 1e-6 ? Answer::proven : Answer::missed) << push;
    EXPECT_NEAR(v.balance.residual, push, 0.1 * push);
    EXPECT_NEAR(v.balance.per_body[1], push, 0.1 * push);
    EXPECT_EQ(v.balance.per_body[0], 0.0);
  }
}

TEST(Settings, margins_are_bisected_to_1e_3) {
  const double angle = std::atan(0.3);
  const Quat q = rotation_from_vector(Vec3(0, angle, 0));
  Input input;
  input.bodies = {at(ground(), Vec3::Zero(), q),
                  at(box_mesh(Vec3(1, 1, 0.2)), q * Vec3(0, 0, 0.1), q)};
  input.bodies[0].fixed = true;
  const Verdict v = check(input);
  // from 4 by halves until the bracket is below 1e-3: a whole number of 1/1024
  const double steps = v.stability.margins.friction * 1024.0;
  EXPECT_NEAR(steps, std::round(steps), 1e-9);
  EXPECT_NEAR(v.stability.margins.friction, 0.3, 2e-3);
}

TEST(Settings, energy_that_bends_less_than_1e_5_of_load_over_size_is_neutral) {
  // a smooth ball of radius r on one of radius R: the centre falls along a circle, curvature
  // 2 r / (R + r) of weight over size; weight and support are twice the weight
  for (const double large : {1e4, 1e8}) {
    Input input;
    input.bodies = {at(ball(large), Vec3(0, 0, -large)), at(ball(0.5), Vec3(0, 0, 0.5))};
    input.bodies[0].fixed = true;
    for (PlacedBody& item : input.bodies) item.friction = 0.0;
    Settings settings;
    settings.judge_stability = false;
    Verdict v = check(input, settings);
    ASSERT_TRUE(v.balance.balanced);
    StabilitySettings stay;
    stay.margins = false;
    const Stability s = stability(input, v.contacts, v.balance, stay);
    EXPECT_EQ(s.kind, large < 1e6 ? StabilityClass::metastable : StabilityClass::stable) << large;
    if (large < 1e6) {
      EXPECT_NEAR(s.witness.power, 0.5 / (large + 0.5), 5e-3 / large);
    }
  }
}

TEST(Settings, poses_parted_by_1e_7_of_size_are_two) {
  for (const double bend : {1e-4, 1e-2}) {
    // a block whose foot is bent along a ridge: the centre rises by bend^2 / 2 from one side to the
    // other
    std::vector<Vec3> points;
    for (const double x : {-1.0, 1.0})
      for (const double y : {-1.0, 1.0}) {
        points.push_back({x, y, 0.0});
        points.push_back({x, y, 2.0});
      }
    points.push_back({0.0, -1.0, -bend});
    points.push_back({0.0, 1.0, -bend});
    const auto body = shape::make_convex({points, {}}).value();
    const auto found = resting_poses(body, Vec3(0, 0, 1)).value();
    EXPECT_EQ(found.poses.size(), bend < 1e-3 ? 6u : 7u) << bend;
    EXPECT_NEAR(found.resolution, 1e-7 * 2.0 * body->bounding_radius, 1e-12);
  }
}

TEST(Settings, curved_bodies_are_searched_on_a_polyhedron_within_3e_4) {
  const auto body = shape::make_cylinder({0.5, 1.2}).value();
  const auto found = resting_poses(body, Vec3::Zero()).value();
  EXPECT_LE(found.resolution, 2.0 * 3e-4 * body->bounding_radius);
  EXPECT_GE(found.resolution, 1e-5 * body->bounding_radius);
  EXPECT_EQ(found.poses.size(), 3u);
}

TEST(Settings, ranges_hold_to_1e_6_of_the_weight) {
  Input input = on_ground(at(ball(0.5), Vec3(0, 0, 0.5)));
  const Verdict v = check(input);
  ASSERT_EQ(v.ranges.size(), 1u);
  EXPECT_NEAR(v.ranges[0].low, 9.81, 1e-5);
  EXPECT_NEAR(v.ranges[0].high, 9.81, 1e-5);
}

TEST(Settings, between_moments_overlap_up_to_1e_3_of_size_is_no_fault) {
  // a brick slides on the ground, so deep in it
  for (const double deep : {5e-4, 2e-3}) {
    const std::vector<PlacedBody> bodies{
        at(ground(), Vec3::Zero()),
        at(shape::make_box({Vec3(0.6, 0.6, 0.5)}).value(), Vec3::Zero())};
    const Pose from{Vec3(0, 0, 0.25 - deep), Quat::Identity()},
        to{Vec3(0.01, 0, 0.25 - deep), Quat::Identity()};
    const MomentVerdict v =
        judge_moments(bodies, {{{}, {}, Vec3::Zero()}, {from, to, Vec3::Zero()}});
    EXPECT_EQ(v.answer, deep < 1e-3 ? Answer::proven : Answer::missed) << deep;
  }
}

}  // namespace
}  // namespace repose::check
