#include <array>

#include <gtest/gtest.h>

#include "repose/shape/make.h"

#include "pile_scene.h"

namespace repose::pile {
namespace {

/// Poses to the last bit, and what contacts carry.
void expect_same(const State& found, const State& expected) {
  EXPECT_EQ(state_hash(found), state_hash(expected)) << "step " << expected.step;
  ASSERT_EQ(found.contacts.size(), expected.contacts.size());
  for (std::size_t k = 0; k < found.contacts.size(); ++k)
    EXPECT_EQ(found.contacts[k].force_on_b, expected.contacts[k].force_on_b);
}

/// Runs the scene for some steps, then goes back to its states, near ones and far ones, and steps
/// on from each: with the method that ran, and with one made anew.
void expect_steps_of_the_state_alone(PileScene& s, const SettingValues& settings, int steps) {
  const auto pile = s.method(settings);
  ASSERT_TRUE(pile->prepare(s.problem, s.state));
  std::vector<State> states{s.state};
  for (int n = 0; n < steps; ++n) {
    StepReport report = pile->step(s.problem, s.state);
    states.push_back(s.state);
    if (report.status != RunStatus::moving) break;
  }
  const int last = static_cast<int>(states.size()) - 1;
  ASSERT_GT(last, 3);
  for (const int from : {last - 1, 0, last / 2, last - 2, last / 3}) {
    State again = states[static_cast<std::size_t>(from)];
    pile->step(s.problem, again);
    expect_same(again, states[static_cast<std::size_t>(from) + 1]);
    const auto fresh = s.method(settings);
    State scratch = states[static_cast<std::size_t>(from)];
    ASSERT_TRUE(fresh->prepare(s.problem, scratch));
    again = states[static_cast<std::size_t>(from)];
    fresh->step(s.problem, again);
    expect_same(again, states[static_cast<std::size_t>(from) + 1]);
  }
}

TEST(PileUndo, balls_step_again_from_an_earlier_state_with_the_same_bits) {
  PileScene s = PileScene::grid(5, 3);
  expect_steps_of_the_state_alone(s, {}, 60);
}

TEST(PileUndo, balls_with_soft_contacts_step_again_with_the_same_bits) {
  PileScene s = PileScene::grid(8, 4);
  expect_steps_of_the_state_alone(s, {}, 60);
}

TEST(PileUndo, balls_in_zones_step_again_with_the_same_bits) {
  PileScene s = PileScene::grid(4, 7);
  expect_steps_of_the_state_alone(s, {{"zone", 20}}, 20);
}

TEST(PileUndo, balls_without_weight_that_attract_each_other_step_again_with_the_same_bits) {
  PileScene s;
  s.problem.gravity = Vec3::Zero();
  Random random(8);
  for (int i = 0; i < 12; ++i)
    s.add_ball(0.4, Vec3(i % 3, i / 3 % 2, i / 6) + 0.05 * random_direction(random));
  Force attract;
  attract.kind = ForceKind::attract;
  attract.values = {{"law", std::string("inverse_square")}, {"strength", 2.0}};
  s.problem.forces.push_back(attract);
  expect_steps_of_the_state_alone(s, {}, 40);
}

TEST(PileUndo, bodies_that_turn_step_again_with_the_same_bits) {
  for (const double friction : {0.0, 0.4}) {
    PileScene s;
    s.add_wall(Vec3::Zero(), Vec3::UnitZ());
    for (const Vec3& side : {Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 1, 0), Vec3(0, -1, 0)})
      s.add_wall(-1.5 * side, side);
    const std::array kinds{*shape::make_box({.size = Vec3(1.0, 0.7, 0.5)}),
                           *shape::make_capsule({.radius = 0.3, .height = 0.6}),
                           *shape::make_ellipsoid({.radii = Vec3(0.5, 0.4, 0.3)}),
                           PileScene::ball(0.4)};
    Random random(21);
    for (int i = 0; i < 16; ++i) {
      const auto& shape = kinds[static_cast<std::size_t>(i % 4)];
      const Vec3 at(1.4 * (i % 2) - 0.7, 1.4 * (i / 2 % 2) - 0.7, 1.0 + 1.4 * (i / 4));
      s.add(shape, at, false, random_rotation(random));
    }
    expect_steps_of_the_state_alone(s, {{"friction", friction > 0.0}, {"most_friction", friction}},
                                    150);
  }
}

}  // namespace
}  // namespace repose::pile
