// What a method claims of its contacts saves the judge a search and can make nothing true.
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
