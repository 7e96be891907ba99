// How answers on overlap and rest make a verdict, and what else it tells.
#include "repose/check/verdict.h"

#include <numbers>

#include <gtest/gtest.h>

#include "repose/check/near_pairs.h"
#include "repose/shape/make.h"

#include "check/shapes.h"

namespace repose::check {
namespace {

PlacedBody named(PlacedBody item, const std::string& name) {
  item.name = name;
  return item;
}

/// A ball on the ground (or in the air), beside it one that overlaps the ground, is clear of it, or
/// has no gap here.
Input scene(Answer overlap, bool rests) {
  Input input;
  input.bodies = {
      named(at(ground(), Vec3::Zero()), "floor"),
      named(at(ball(0.5), Vec3(0, 0, rests ? 0.5 : 0.9)), "first"),
      named(at(ball(0.5), Vec3(3, 0, overlap == Answer::missed ? 0.4 : 0.5)), "second")};
  input.bodies[0].fixed = true;
  if (overlap == Answer::undecided) {
    auto set = std::make_shared<shape::Shape>();
    set->geometry =
        shape::PointSet{{Vec3(0, 0, 0.5)}, {Vec3::UnitZ()}, {0.1}, {Vec3::Zero()}, {0.5}};
    set->bounding_radius = 0.5;
    PlacedBody soft = named(at(set, Vec3(6, 0, 0.5)), "soft");
    soft.frozen = {true, true, true, true, true, true};
    input.bodies.push_back(soft);
  }
  return input;
}

TEST(Verdict, every_pair_of_answers_makes_the_right_one) {
  for (const Answer overlap : {Answer::proven, Answer::missed, Answer::undecided})
    for (const Answer rest : {Answer::proven, Answer::missed, Answer::undecided}) {
      Settings settings;
      settings.stability.margins = false;
      Input input = scene(overlap, rest == Answer::proven);
      if (rest == Answer::undecided) {
        // no steps are allowed: a residual stays of which nothing is proven
        settings.balance.max_steps = 1;
        input.bodies[1].world_from_body.position.z() = 0.5;
      }
      const Verdict v = check(input, settings);
      EXPECT_EQ(v.overlap, overlap);
      EXPECT_EQ(v.balanced, rest) << to_text(overlap) << ' ' << v.balance.residual;
      const Answer both = overlap == Answer::missed || rest == Answer::missed   ? Answer::missed
                          : overlap == Answer::proven && rest == Answer::proven ? Answer::proven
                                                                                : Answer::undecided;
      EXPECT_EQ(v.answer, both) << to_text(overlap) << ' ' << to_text(rest);
      EXPECT_EQ(v.overlaps.size(), overlap == Answer::missed ? 1u : 0u);
      EXPECT_EQ(v.undecided.empty(), overlap != Answer::undecided);
      EXPECT_FALSE(v.why.empty());
      if (overlap == Answer::missed) {
        EXPECT_NE(v.why.find("second"), std::string::npos);
        EXPECT_NE(v.why.find("0.1 m"), std::string::npos) << v.why;
        EXPECT_EQ(v.overlaps[0].body_a, 0);
        EXPECT_EQ(v.overlaps[0].body_b, 2);
      } else if (overlap == Answer::undecided) {
        EXPECT_NE(v.why.find("soft"), std::string::npos) << v.why;
      } else if (rest == Answer::missed) {
        EXPECT_NE(v.why.find("first is unsupported: nothing carries"), std::string::npos) << v.why;
      }
      EXPECT_GE(v.seconds, 0.0);
      // without the question of balance rest counts as answered
      settings.judge_balance = false;
      const Verdict free = check(input, settings);
      EXPECT_EQ(free.balanced, Answer::not_judged);
      EXPECT_EQ(free.answer, overlap);
      EXPECT_TRUE(free.contacts.empty());
    }
}

TEST(Verdict, the_smallest_gap_of_all_is_told) {
  Input input;
  input.bodies = {at(ground(), Vec3::Zero()), at(ball(0.5), Vec3(0, 0, 0.5 + 2e-4)),
                  at(ball(0.25), Vec3(3, 0, 0.25 + 1e-4)), at(ball(1.0), Vec3(6, 0, 1.0 + 1.2e-4))};
  input.bodies[0].fixed = true;
  const Verdict v = check(input);
  // over the smaller body's size: 2e-4, 2e-4 and 0.6e-4
  EXPECT_EQ(v.gap.body_a, 0);
  EXPECT_EQ(v.gap.body_b, 3);
  EXPECT_NEAR(v.gap_relative, 0.6e-4, 1e-12);
  EXPECT_NEAR(v.gap.bracket.lower, 1.2e-4, 1e-12);
  EXPECT_TRUE(v.overlaps.empty());
}

TEST(Verdict, frictionless_balance_is_judged_beside_the_rough_one) {
  const Quat q = rotation_from_vector(Vec3(0, 0.2, 0));
  Input input;
  input.bodies = {at(ground(), Vec3::Zero(), q),
                  at(box_mesh(Vec3(1, 1, 0.4)), q * Vec3(0, 0, 0.2), q)};
  input.bodies[0].fixed = true;
  const Verdict v = check(input);
  EXPECT_TRUE(v.balance.balanced);
  EXPECT_FALSE(v.frictionless_balance.balanced);
  EXPECT_NEAR(v.frictionless_balance.residual, std::sin(0.2), 1e-2);
  for (PlacedBody& item : input.bodies) item.friction = 0.0;
  const Verdict smooth = check(input);
  EXPECT_EQ(smooth.balanced, Answer::missed);
  EXPECT_EQ(smooth.balance.residual, smooth.frictionless_balance.residual);
  EXPECT_TRUE(smooth.ranges.empty());
}

TEST(Verdict, contacts_carry_the_bodies_they_belong_to) {
  Input input;
  input.bodies = {at(ball(0.5), Vec3(9, 0, 0.5)), at(ground(), Vec3::Zero()),
                  at(ball(0.5), Vec3(0, 0, 0.5)), at(ball(0.5), Vec3(0, 0, 1.5))};
  input.bodies[1].fixed = true;
  const Verdict v = check(input);
  ASSERT_EQ(v.contacts.size(), 3u);
  for (const ContactPoint& c : v.contacts) {
    EXPECT_LT(c.body_a, c.body_b);
    const bool upper = c.body_a == 2;
    EXPECT_EQ(c.body_b, upper ? 3 : c.body_a == 0 ? 1 : 2);
    EXPECT_NEAR(c.normal_a_to_b.z(), c.body_a == 0 ? -1.0 : 1.0, 1e-9);
  }
}

TEST(NearPairs, leaves_out_what_cannot_meet_and_keeps_order) {
  std::vector<PlacedBody> bodies{at(ground(), Vec3::Zero()), at(ball(0.5), Vec3(0, 0, 0.5)),
                                 at(ball(0.5), Vec3(0.9, 0, 0.5)), at(ground(), Vec3(0, 0, -5)),
                                 at(ball(0.5), Vec3(1.8, 0, 0.5))};
  bodies[0].fixed = bodies[3].fixed = true;
  using Pairs = std::vector<std::array<int, 2>>;
  EXPECT_EQ(near_pairs(bodies, 0.0), (Pairs{{0, 1}, {0, 2}, {0, 4}, {1, 2}, {2, 4}}));
  bodies[2].collides = false;
  EXPECT_EQ(near_pairs(bodies, 0.0), (Pairs{{0, 1}, {0, 4}}));
  bodies[2].collides = true;
  bodies[1].fixed = bodies[2].fixed = true;
  EXPECT_EQ(near_pairs(bodies, 0.0), (Pairs{{0, 4}, {2, 4}}));
  // reach: a tenth of the size, 1 m here
  bodies[1].fixed = false;
  bodies[1].world_from_body.position = Vec3(-0.2, 0, 0.55);
  EXPECT_EQ(near_pairs(bodies, 0.0), (Pairs{{0, 4}, {2, 4}}));
  EXPECT_EQ(near_pairs(bodies, 0.06), (Pairs{{0, 1}, {0, 4}, {1, 2}, {2, 4}}));
}

TEST(NearPairs, every_close_pair_of_mixed_sizes_is_found_once) {
  Random random(131);
  std::vector<PlacedBody> bodies;
  for (int k = 0; k < 300; ++k)
    bodies.push_back(at(ball(std::pow(10.0, random.between(-2.0, 0.0))),
                        6.0 * Vec3(random.unit(), random.unit(), random.unit())));
  const double reach = 0.02;
  const auto pairs = near_pairs(bodies, reach);
  EXPECT_TRUE(std::is_sorted(pairs.begin(), pairs.end()));
  EXPECT_EQ(std::adjacent_find(pairs.begin(), pairs.end()), pairs.end());
  std::size_t must = 0, may = 0;
  for (int i = 0; i < 300; ++i)
    for (int j = i + 1; j < 300; ++j) {
      const PlacedBody &a = bodies[static_cast<std::size_t>(i)],
                       &b = bodies[static_cast<std::size_t>(j)];
      const double far = (a.world_from_body.position - b.world_from_body.position).norm() -
                         0.5 * (a.size() + b.size());
      const bool found = std::binary_search(pairs.begin(), pairs.end(), std::array{i, j});
      must += far <= reach * std::min(a.size(), b.size());
      may += far <= reach * (a.size() + b.size());
      if (far <= reach * std::min(a.size(), b.size())) {
        EXPECT_TRUE(found);
      }
      if (far > 1.001 * reach * (a.size() + b.size())) {
        EXPECT_FALSE(found);
      }
    }
  EXPECT_GT(must, 50u);
  EXPECT_LE(pairs.size(), may + 2);
}

TEST(Verdict, samples_of_a_contact_are_not_refined_once_they_balance) {
  // along lines and round rings: what balances is what the settings' spacing gives
  const auto ring = shape::make_torus({0.08, 0.025}).value();
  const auto roller = shape::make_cylinder({0.3, 1.0}).value();
  const Quat lying = rotation_from_vector(Vec3(0, std::numbers::pi / 2, 0));
  for (const double merge : {2e-2, 3e-2, 5e-2, 8e-2, 0.1})
    for (const bool round : {true, false}) {
      Input input;
      input.bodies = {
          named(at(ground(), Vec3::Zero()), "floor"),
          named(round ? at(ring, Vec3(0.01, 0.02, 0.025)) : at(roller, Vec3(0.1, 0, 0.3), lying),
                "body")};
      input.bodies[0].fixed = true;
      Settings settings;
      settings.contact.merge = merge;
      settings.judge_stability = false;
      const Verdict v = check(input, settings);
      EXPECT_TRUE(v.balance.balanced) << merge;
      const auto plain = find_contacts(input.bodies[0], input.bodies[1], settings.contact);
      ASSERT_EQ(v.contacts.size(), plain.size()) << merge << ' ' << round;
      for (std::size_t k = 0; k < plain.size(); ++k) EXPECT_EQ(v.contacts[k].point, plain[k].point);
    }
}

}  // namespace
}  // namespace repose::check
