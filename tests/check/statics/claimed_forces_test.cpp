// What a method claims of its contacts saves the judge a search and can make nothing true.
#include <cmath>

#include <gtest/gtest.h>

#include "check/scenes.h"

namespace repose::check {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::vector<ClaimedContact> true_claims(const Verdict& v) {
  std::vector<ClaimedContact> out;
  for (std::size_t c = 0; c < v.contacts.size(); ++c)
    out.push_back({v.contacts[c].body_a, v.contacts[c].body_b, v.contacts[c].point,
                   v.balance.forces_on_b[c]});
  return out;
}

/// A tower of boxes on the ground, the last one's centre `off` half widths from the one below.
Input tower(int count, double off) {
  scenes::Scene s;
  s.plane(Vec3::Zero(), Vec3::Zero(), 0.5);
  for (int k = 0; k < count; ++k)
    s.box({1, 1, 1}, {k + 1 == count ? 0.5 * off : 0.0, 0, k + 0.5}, Vec3::Zero(), 0.5, 1.0);
  return s.input;
}

TEST(ClaimedForces, true_ones_end_the_search_before_it_begins) {
  Input input = tower(45, 0.3);
  const Verdict without = check(input);
  ASSERT_EQ(without.balanced, Answer::proven) << without.why;
  ASSERT_GT(without.balance.steps, 0);
  input.claims = true_claims(without);
  const Verdict with = check(input);
  EXPECT_EQ(with.balanced, Answer::proven);
  EXPECT_EQ(with.balance.steps, 0);
  // told with either body first
  for (ClaimedContact& c : input.claims) {
    std::swap(c.body_a, c.body_b);
    c.force_on_b *= -1.0;
  }
  EXPECT_EQ(check(input).balance.steps, 0);
}

TEST(ClaimedForces, wrong_ones_change_no_answer) {
  Random random(8);
  for (const double off : {0.3, 1.3}) {  // stands; tips over
    Input input = tower(3, off);
    const Verdict without = check(input);
    const Answer truth = off < 1.0 ? Answer::proven : Answer::missed;
    ASSERT_EQ(without.balanced, truth) << without.why;
    for (int k = 0; k < 40; ++k) {
      input.claims = true_claims(without);
      for (ClaimedContact& c : input.claims) {
        const double chance = random.unit();
        if (chance < 0.1) c.force_on_b = Vec3(0, kNan, 0);
        if (chance > 0.1 && chance < 0.2) c.point_world.x() = kNan;
        if (chance > 0.2 && chance < 0.3) c.body_a = 77;
        if (chance > 0.3 && chance < 0.4) c.body_b = -1;
        if (chance > 0.4 && chance < 0.5) c.force_on_b *= -1e6;
        if (chance > 0.5) c.force_on_b += 20.0 * random_direction(random);
        if (chance > 0.9) c.point_world += random_direction(random);
      }
      const Verdict with = check(input);
      EXPECT_EQ(with.balanced, truth) << off << ' ' << k << ' ' << with.why;
      EXPECT_EQ(with.overlap, Answer::proven);
    }
  }
}

/// A cone on its side, `above` a block: it touches along a line from its apex, at the origin.
Input lying_cone(double above) {
  constexpr double kRadius = 0.5, kHeight = 1.0;
  const double slant = std::hypot(kRadius, kHeight);
  const Vec3 from_apex(kHeight / slant, 0.0, kRadius / slant);  // to the middle of its base
  scenes::Scene s;
  s.box({4, 4, 1}, {0.3, 0.1, -0.5}, Vec3::Zero(), 0.5, 1.0);
  s.input.bodies.back().fixed = true;
  s.add(shape::make_cone({.radius = kRadius, .height = kHeight}).value(),
        kHeight * from_apex + Vec3(0.0, 0.0, above), Vec3::Zero(), 0.5);
  PlacedBody& cone = s.input.bodies.back();
  cone.world_from_body.rotation = rotation_between(Vec3::UnitZ(), -from_apex);
  const double arm = 0.75 * kHeight * from_apex.x(), weight = cone.mass * 9.81;
  const double at_rim = weight * arm / slant;
  s.input.claims = {{0, 1, Vec3::Zero(), Vec3(0.0, 0.0, weight - at_rim)},
                    {0, 1, Vec3(slant, 0.0, 0.0), Vec3(0.0, 0.0, at_rim)}};
  return s.input;
}

TEST(ClaimedForces, places_that_are_told_count_where_both_bodies_are) {
  const Verdict lies = check(lying_cone(1e-8));
  EXPECT_EQ(lies.balanced, Answer::proven) << lies.why;
  EXPECT_EQ(lies.balance.steps, 0);
  const Verdict hovers = check(lying_cone(1e-4));
  EXPECT_EQ(hovers.overlap, Answer::proven);
  EXPECT_EQ(hovers.balanced, Answer::missed);
  EXPECT_TRUE(hovers.contacts.empty());
}

TEST(ClaimedForces, what_would_hold_a_body_from_the_air_does_not) {
  Input input = tower(1, 0.0);
  input.bodies[1].world_from_body.position.z() += 0.1;  // it hovers
  input.claims = {{0, 1, Vec3(0, 0, 0), Vec3(0, 0, 9.81)}};
  const Verdict v = check(input);
  EXPECT_EQ(v.overlap, Answer::proven);
  EXPECT_EQ(v.balanced, Answer::missed);
  // nor does a pull of the ground hold one on a wall
  Input wall = tower(1, 0.0);
  wall.gravity = Vec3(9.81, 0, 0);
  wall.claims = {{0, 1, Vec3(0, 0, 0), Vec3(-9.81, 0, 0)}, {0, 1, Vec3(0.5, 0, 0), Vec3(0, 0, -5)}};
  EXPECT_EQ(check(wall).balanced, Answer::missed);
}

}  // namespace
}  // namespace repose::check
