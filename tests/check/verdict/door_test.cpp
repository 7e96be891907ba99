// The judge's own door: what is no number is refused, whoever asks; and what the answer does not
// speak of is counted.
#include <gtest/gtest.h>

#include "repose/check/fault.h"
#include "repose/shape/make.h"

#include "check/shapes.h"

namespace repose::check {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

PlacedBody named(PlacedBody item, const std::string& name, bool fixed = false) {
  item.name = name;
  item.fixed = fixed;
  return item;
}

/// A ball half sunk into the ground: missed, whatever else is asked.
Input sunk() {
  Input input;
  input.bodies.push_back(named(at(ground(), Vec3::Zero()), "ground", true));
  input.bodies.push_back(named(at(ball(0.1), Vec3(0, 0, 0.05)), "ball"));
  input.bodies.back().inertia_body = Mat3::Identity();
  return input;
}

TEST(Door, a_sound_question_gets_its_answer) {
  EXPECT_EQ(fault_of(sunk()), "");
  EXPECT_EQ(fault_of(Settings{}), "");
  EXPECT_EQ(check(sunk()).answer, Answer::missed);
}

TEST(Door, what_is_no_number_is_refused_wherever_it_stands) {
  using Spoil = void (*)(Input&, double);
  const Spoil all[] = {[](Input& i, double x) { i.gravity.z() = x; },
                       [](Input& i, double x) { i.bodies[1].world_from_body.position.y() = x; },
                       [](Input& i, double x) { i.bodies[0].world_from_body.position.x() = x; },
                       [](Input& i, double x) { i.bodies[1].world_from_body.rotation.w() = x; },
                       [](Input& i, double x) { i.bodies[1].world_from_body.rotation.z() = x; },
                       [](Input& i, double x) { i.bodies[1].mass = x; },
                       [](Input& i, double x) { i.bodies[1].friction = x; },
                       [](Input& i, double x) { i.bodies[0].friction = x; },
                       [](Input& i, double x) { i.bodies[1].center_body.z() = x; },
                       [](Input& i, double x) { i.bodies[1].inertia_body(1, 2) = x; },
                       [](Input& i, double x) { i.bodies[1].points_world = {Vec3(0, x, 0)}; },
                       [](Input& i, double x) {
                         i.loads.push_back({1, Vec3(x, 0, 0), Vec3::Zero(), Vec3::Zero()});
                       },
                       [](Input& i, double x) {
                         i.loads.push_back({1, Vec3::Zero(), Vec3(0, 0, x), Vec3::Zero()});
                       },
                       [](Input& i, double x) {
                         i.loads.push_back({1, Vec3::Zero(), Vec3::Zero(), Vec3(0, x, 0)});
                       },
                       [](Input& i, double x) {
                         i.restraints.push_back({"j", -1, 1, Vec3(x, 0, 0), {}, {}});
                       },
                       [](Input& i, double x) {
                         i.restraints.push_back({"j", -1, 1, Vec3::Zero(), {Vec3(0, x, 0)}, {}});
                       },
                       [](Input& i, double x) {
                         i.restraints.push_back({"j", -1, 1, Vec3::Zero(), {}, {Vec3(0, x, 0)}});
                       }};
  for (const double x : {kNan, kInf, -kInf})
    for (const Spoil spoil : all) {
      Input input = sunk();
      spoil(input, x);
      EXPECT_NE(fault_of(input), "") << &spoil - all << ' ' << x;
      const Verdict v = check(input);
      EXPECT_EQ(v.answer, Answer::undecided) << &spoil - all << ' ' << x;
      EXPECT_EQ(v.overlap, Answer::undecided);
      EXPECT_EQ(v.balanced, Answer::undecided);
      EXPECT_EQ(v.why, fault_of(input));
    }
  Input input = sunk();
  input.restraints.push_back({"j", -1, 1, Vec3::Zero(), {Vec3::UnitX()}, {}, kNan, kInf});
  EXPECT_EQ(fault_of(input), "joint 'j': its bounds leave nothing");
}

TEST(Door, what_is_no_question_is_refused) {
  Input input = sunk();
  input.bodies[1].shape = nullptr;
  EXPECT_EQ(fault_of(input), "body 'ball': it has no shape");
  input = sunk();
  input.bodies[1].world_from_body.rotation.coeffs().setZero();
  EXPECT_EQ(fault_of(input), "body 'ball': its orientation is no rotation");
  input = sunk();
  input.bodies[0].fixed = false;
  EXPECT_EQ(fault_of(input), "body 'ground': it is endless and not fixed");
  input = sunk();
  input.loads.push_back({7, Vec3::UnitX(), Vec3::Zero(), Vec3::Zero()});
  EXPECT_NE(fault_of(input), "");
  input = sunk();
  input.restraints.push_back({"pin", 0, 2, Vec3::Zero(), {}, {}});
  EXPECT_EQ(fault_of(input), "joint 'pin': it joins a body that is not there");
}

TEST(Door, a_setting_that_is_no_number_is_refused) {
  using Spoil = void (*)(Settings&, double);
  const Spoil all[] = {[](Settings& s, double x) { s.tolerance = x; },
                       [](Settings& s, double x) { s.within = x; },
                       [](Settings& s, double x) { s.gap.width = x; },
                       [](Settings& s, double x) { s.contact.touch = x; },
                       [](Settings& s, double x) { s.contact.merge = x; },
                       [](Settings& s, double x) { s.balance.balanced = x; },
                       [](Settings& s, double x) { s.stability.neutral = x; },
                       [](Settings& s, double x) { s.stability.margin_width = x; },
                       [](Settings& s, double x) { s.ranges.slack = x; }};
  for (const double x : {kNan, kInf, -1.0})
    for (const Spoil spoil : all) {
      Settings settings;
      spoil(settings, x);
      EXPECT_NE(fault_of(settings), "") << &spoil - all << ' ' << x;
      EXPECT_EQ(check(sunk(), settings).answer, Answer::undecided);
    }
  Settings settings;
  settings.gap.enough = kNan;
  EXPECT_EQ(check(sunk(), settings).answer, Answer::undecided);
}

TEST(LeftOut, two_fixed_bodies_that_overlap_are_told) {
  Random random(221);
  for (const double scale : {1e-3, 1.0, 1e3})
    for (const auto& shape : {ball(scale), shape::make_box({scale * Vec3(1, 2, 1)}).value(),
                              shape::make_torus({scale, 0.4 * scale}).value()}) {
      Input input;
      input.gravity.setZero();
      const Vec3 at_a = scale * random_direction(random);
      const Quat turn = random_rotation(random);
      input.bodies.push_back(named(at(shape, at_a, turn), "a", true));
      input.bodies.push_back(
          named(at(shape, at_a + turn * Vec3(0.1 * scale, 0, 0), turn), "b", true));
      const Verdict v = check(input);
      EXPECT_EQ(v.left_out.both_fixed, 1);
      ASSERT_EQ(v.left_out.fixed_overlaps.size(), 1u) << name_of(shape->kind);
      EXPECT_NE(v.why.find("the fixed bodies a and b overlap"), std::string::npos) << v.why;
      EXPECT_EQ(v.why.find("nothing overlaps"), std::string::npos) << v.why;
      EXPECT_NE(to_json(v, input).tall().find("\"fixed_overlaps\""), std::string::npos);
      EXPECT_NE(to_summary(v, input).find("1 pair of fixed bodies (1 overlapping)"),
                std::string::npos);
      // apart there is nothing to tell
      input.bodies[1].world_from_body.position += turn * Vec3(5.0 * scale, 0, 0);
      EXPECT_TRUE(check(input).left_out.fixed_overlaps.empty());
    }
}

TEST(LeftOut, pairs_that_a_joint_holds_are_counted_and_no_other_pair_gains_by_it) {
  Input input;
  input.gravity.setZero();
  for (int k = 0; k < 3; ++k) {
    input.bodies.push_back(named(at(ball(1.0), Vec3(0.1 * k, 0, 0)), std::to_string(k)));
    input.bodies.back().number = k;
  }
  input.bodies[0].passes = {1};
  Verdict v = check(input);
  EXPECT_EQ(v.left_out.joined, 1);
  EXPECT_EQ(v.overlaps.size(), 2u);
  EXPECT_NE(to_summary(v, input).find("1 pair that a joint holds"), std::string::npos);
  input.bodies[2].passes = {0, 1};
  v = check(input);
  EXPECT_EQ(v.left_out.joined, 3);
  EXPECT_EQ(v.overlap, Answer::proven);
  // bodies without a number are named by no one
  for (PlacedBody& body : input.bodies) body.number = -1;
  EXPECT_EQ(check(input).overlaps.size(), 3u);
}

TEST(LeftOut, pairs_that_do_not_collide_and_of_other_layers_are_counted) {
  Input input;
  input.gravity.setZero();
  for (int k = 0; k < 3; ++k)
    input.bodies.push_back(named(at(ball(1.0), Vec3(0.1 * k, 0, 0)), std::to_string(k)));
  input.bodies[2].collides = false;
  Verdict v = check(input);
  EXPECT_EQ(v.left_out.not_colliding, 2);
  EXPECT_EQ(v.overlap, Answer::missed);
  input.bodies[0].collides = false;
  v = check(input);
  EXPECT_EQ(v.left_out.not_colliding, 3);
  EXPECT_EQ(v.overlap, Answer::proven);
  EXPECT_NE(to_summary(v, input).find("3 pairs with a body that does not collide"),
            std::string::npos);
  input.bodies.clear();
  for (int k = 0; k < 3; ++k) {
    const auto square =
        shape::make_plane_region({{{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}, {}}}, {}, 0.1}).value();
    input.bodies.push_back(named(at(square, Vec3(0.1 * k, 0, 0)), std::to_string(k)));
    input.bodies.back().layer = k / 2;
  }
  v = check(input);
  EXPECT_EQ(v.left_out.other_layers, 2);
  EXPECT_EQ(v.overlaps.size(), 1u);
}

TEST(Door, settings_are_taken_to_the_ends_of_their_ranges_and_not_beyond) {
  struct Range {
    const char* name;
    double* value;
    double most;
  };
  Settings s;
  for (const Range& r : {Range{"tolerance", &s.tolerance, 0.1},
                         {"within", &s.within, 1.0},
                         {"gap.width", &s.gap.width, 0.1},
                         {"contact.touch", &s.contact.touch, 1e-2},
                         {"contact.merge", &s.contact.merge, 0.1},
                         {"balance.balanced", &s.balance.balanced, 0.1},
                         {"stability.neutral", &s.stability.neutral, 0.1},
                         {"stability.margin_width", &s.stability.margin_width, 1.0},
                         {"ranges.slack", &s.ranges.slack, 1e-2}}) {
    const double kept = *r.value;
    *r.value = r.most;
    EXPECT_EQ(fault_of(s), "") << r.name;
    *r.value = 1.01 * r.most;
    EXPECT_NE(fault_of(s).find(r.name), std::string::npos) << r.name;
    *r.value = -r.most;
    EXPECT_NE(fault_of(s).find(r.name), std::string::npos) << r.name;
    *r.value = kept;
  }
}

}  // namespace
}  // namespace repose::check
