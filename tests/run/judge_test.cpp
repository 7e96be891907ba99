// What a run keeps of the judge's verdict: every field, with several bodies, at other places than
// the first.
#include "repose/run/judge.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "repose/run/judge_input.h"
#include "repose/shape/make.h"

namespace repose {
namespace {

using check::Answer;

/// Bodies of several shapes in one scene, under gravity.
struct Heap {
  Problem problem;
  State state;

  Body& add(const std::string& name, const shape::ShapePtr& shape, const Vec3& at) {
    Body body;
    body.name = name;
    body.shape = shape;
    body.mass = 1.0;
    body.inertia_body = Mat3::Identity();
    problem.bodies.push_back(body);
    BodyState state_of;
    state_of.world_from_body.position = at;
    state.bodies.push_back(state_of);
    return problem.bodies.back();
  }
  Body& ball(const std::string& name, const Vec3& at, double radius = 0.5) {
    return add(name, shape::make_ball({radius}).value(), at);
  }
  Body& ground() {
    Body& body = add("ground", shape::make_half_space().value(), Vec3::Zero());
    body.fixed = true;
    return body;
  }
  void push(const std::string& body, const Vec3& force) {
    Force f;
    f.kind = ForceKind::push;
    f.body_a = body;
    f.vector = force;
    problem.forces.push_back(f);
  }
};

/// A surfel body: balls whose centres lie on a sphere of radius 1 about two phyxels.
void add_shell(Heap& heap, const Vec3& middle, double hole) {
  shape::PointSet set;
  std::vector<Vec3> positions;
  std::vector<double> radii;
  constexpr int kBalls = 400;
  set.phyxels = {Vec3::Zero(), Vec3(0.3, -0.2, 0.4)};
  set.phyxel_volumes = {1.0, 1.0};
  for (const Vec3& p : set.phyxels) {
    positions.push_back(middle + p);
    radii.push_back(0.0);
  }
  for (int i = 0; i < kBalls; ++i) {
    const double z = 1.0 - 2.0 * (i + 0.5) / kBalls, turn = 2.399963229728653 * i;
    const double across = std::sqrt(1.0 - z * z);
    const Vec3 p(across * std::cos(turn), across * std::sin(turn), z);
    if ((p - Vec3::UnitZ()).norm() < hole) continue;
    set.surfels.push_back(p);
    set.normals.push_back(p);
    set.surfel_radii.push_back(0.25);
    positions.push_back(middle + p);
    radii.push_back(0.25);
  }
  Body& body = heap.add("shell", shape::make_point_set(set).value(), Vec3::Zero());
  body.soft = std::make_shared<const SoftBody>();
  heap.state.bodies.back().soft.positions = positions;
  heap.state.bodies.back().soft.radii = radii;
}

Judgement cover_of(const Heap& heap) {
  Judgement out;
  judge_soft(heap.problem, heap.state, judge_input(heap.problem, heap.state),
             check::SkinsOf::each_other, out);
  return out;
}

TEST(Judge, the_cover_of_a_surfel_body_lies_about_its_phyxels_alone) {
  const Vec3 middle(0.4, -3.0, 0.7), away = middle + Vec3(0.0, 0.0, 4.0);
  const auto shell = [&](double hole) {
    Heap heap;
    heap.ground();
    add_shell(heap, middle, hole);
    return heap;
  };
  EXPECT_EQ(cover_of(shell(0.0)).cover, Answer::proven);
  EXPECT_EQ(cover_of(shell(0.0)).cover_why, "");
  const Judgement open = cover_of(shell(0.6));
  EXPECT_EQ(open.cover, Answer::missed);
  EXPECT_EQ(open.cover_why, "phyxel 0 of shell is not known to lie behind its surface");
  // another body within: it counts where it collides, and where it is soft as well
  for (const bool collides : {true, false})
    for (const bool inside : {true, false}) {
      Heap heap = shell(0.0);
      heap.ball("pea", inside ? middle : away, 0.01).collides = collides;
      const Judgement said = cover_of(heap);
      EXPECT_EQ(said.cover == Answer::proven, !(collides && inside));
      EXPECT_EQ(said.cover_why, collides && inside
                                    ? "something is not known to lie outside the surface of shell"
                                    : "");
      heap.problem.bodies[1].collides = false;  // then nothing need lie outside it
      EXPECT_EQ(cover_of(heap).cover, Answer::proven);
    }
  for (const double radius : {0.01, 0.0}) {
    Heap heap = shell(0.0);
    heap.add("cloud", shape::make_sphere_set({{Vec3::Zero()}, {0.01}, {}}).value(), Vec3::Zero());
    heap.state.bodies.back().soft.positions = {away, middle};
    heap.state.bodies.back().soft.radii = {0.01, radius};  // of none: no ball is there
    EXPECT_EQ(cover_of(heap).cover == Answer::proven, radius == 0.0);
  }
  // a bowl about it: the mass centre lies within the shell, no piece of the surface does
  Heap ringed = shell(0.0);
  ringed.add("ring", shape::make_torus({3.0, 0.5}).value(), middle);
  EXPECT_EQ(cover_of(ringed).cover, Answer::proven);
  // of two shells the second alone is open: it is named
  Heap two = shell(0.0);
  add_shell(two, away + Vec3(0.0, 0.0, 4.0), 0.6);
  two.problem.bodies.back().name = "torn";
  EXPECT_EQ(cover_of(two).cover, Answer::missed);
  EXPECT_NE(cover_of(two).cover_why.find("of torn"), std::string::npos);
  Heap none;
  none.ball("ball", middle);
  EXPECT_EQ(cover_of(none).cover, Answer::not_judged);
}

TEST(Judge, of_two_that_overlap_it_tells_where_and_how_deep) {
  Heap heap;
  heap.ball("alone", Vec3(9.0, 0.0, 0.0));
  heap.ball("low", Vec3(1.0, 2.0, 3.0));
  heap.ball("high", Vec3(1.0, 2.0, 3.9));
  const Judgement said = judge(heap.problem, heap.state);
  EXPECT_EQ(said.overlap, Answer::missed);
  ASSERT_TRUE(said.place && said.penetration && said.penetration_relative);
  EXPECT_LT((*said.place - Vec3(1.0, 2.0, 3.45)).norm(), 0.5);
  EXPECT_NEAR(*said.penetration, 0.1, 1e-9);
  EXPECT_NEAR(*said.penetration_relative, 0.1, 1e-9);
  EXPECT_FALSE(said.moves_off);
}

TEST(Judge, of_what_is_interrupted_no_place_is_told) {
  Heap heap;
  heap.ball("alone", Vec3(9.0, 0.0, 0.0));
  heap.add("egg", shape::make_ellipsoid({Vec3(1.0, 0.7, 0.5)}).value(), Vec3(0.0, 0.0, 5.0));
  heap.add("ring", shape::make_torus({1.0, 0.3}).value(), Vec3(0.3, 0.2, 5.75));
  const std::atomic<bool> stop = true;
  JudgeSettings settings;
  settings.interrupt = &stop;
  const Judgement said = judge(heap.problem, heap.state, settings);
  EXPECT_EQ(said.overlap, Answer::undecided);
  EXPECT_FALSE(said.place);
  EXPECT_EQ(said.why, "interrupted");
}

TEST(Judge, of_a_scene_that_is_refused_no_place_is_told) {
  for (const double wrong : {std::nan(""), -1.0}) {
    Heap heap;
    heap.ground();
    heap.ball("rests", Vec3(0.0, 0.0, 0.5)).material.friction = wrong;
    const Judgement said = judge(heap.problem, heap.state);
    EXPECT_EQ(said.overlap, Answer::undecided) << said.why;
    EXPECT_NE(said.why.find("friction"), std::string::npos) << said.why;
    EXPECT_FALSE(said.place);
  }
}

TEST(Judge, what_is_too_heavy_for_its_support_is_told_by_its_place) {
  Heap heap;
  heap.ground();
  heap.ball("rests", Vec3(3.0, 0.0, 0.5));
  heap.ball("falls", Vec3(1.0, 2.0, 7.0));
  const Judgement said = judge(heap.problem, heap.state);
  EXPECT_EQ(said.overlap, Answer::proven);
  EXPECT_EQ(said.balanced, Answer::missed);
  ASSERT_TRUE(said.place && said.force && said.torque);
  EXPECT_EQ(*said.place, Vec3(1.0, 2.0, 7.0));
  EXPECT_NEAR(*said.force, 1.0, 1e-9);  // all of its weight
  EXPECT_LT(*said.torque, 1e-9);
  EXPECT_FALSE(said.moves_off);
  // a state that makes no claim of rest is not asked
  const Judgement moving = judge(heap.problem, heap.state, {.judge_balance = false});
  EXPECT_EQ(moving.balanced, Answer::not_judged);
  EXPECT_FALSE(moving.force || moving.torque || moving.place);
}

TEST(Judge, what_a_small_push_lets_go_moves_off_from_its_place) {
  const auto poised = [](bool loads_stay) {
    Heap heap;
    heap.ground();
    heap.ball("rests", Vec3(3.0, 0.0, 0.5));
    Body& lower = heap.ball("lower", Vec3(0.0, 0.0, 0.5));
    lower.fixed = true;
    heap.ball("upper", Vec3(0.0, 0.0, 1.5));
    if (!loads_stay) {
      Force pull;
      pull.kind = ForceKind::pull;
      pull.body_a = "rests";
      pull.times = {0.0};
      pull.vectors = {Vec3::Zero()};
      heap.problem.forces.push_back(pull);
    }
    return judge(heap.problem, heap.state);
  };
  const Judgement said = poised(true);
  EXPECT_EQ(said.balanced, Answer::proven);
  EXPECT_TRUE(said.moves_off);
  ASSERT_TRUE(said.place);
  EXPECT_EQ(*said.place, Vec3(0.0, 0.0, 1.5));
  // loads that change as bodies move: what a push does is not known
  const Judgement drawn = poised(false);
  EXPECT_EQ(drawn.balanced, Answer::proven);
  EXPECT_FALSE(drawn.moves_off);
  EXPECT_FALSE(drawn.place);
}

TEST(Judge, fixed_bodies_that_overlap_are_looked_for_where_rest_is_claimed) {
  Heap heap;
  for (const double x : {0.0, 0.5, 1.2, 7.0}) heap.ball("fixed", Vec3(x, 0.0, 0.0)).fixed = true;
  heap.ball("alone", Vec3(0.0, 0.0, 9.0));
  const auto left_out = [&](bool rest) {
    return judge(heap.problem, heap.state, {.judge_balance = rest}).details["left_out"].line();
  };
  EXPECT_NE(left_out(true).find("\"fixed_unknown\": 0"), std::string::npos) << left_out(true);
  EXPECT_NE(left_out(true).find("\"lower\""), std::string::npos) << left_out(true);
  EXPECT_NE(left_out(false).find("\"fixed_unknown\": 2"), std::string::npos) << left_out(false);
  EXPECT_EQ(left_out(false).find("\"lower\""), std::string::npos) << left_out(false);
}

TEST(Judge, margins_and_ranges_are_given_where_they_are_asked_for) {
  Heap heap;
  heap.ground();
  Body& box = heap.add("box", shape::make_box({Vec3(1.0, 2.0, 1.0)}).value(), Vec3(0, 0, 0.5));
  box.material.friction = 0.5;
  const auto details = [&](bool margins) {
    return judge(heap.problem, heap.state, {.margins = margins}).details;
  };
  Json plain = details(false), full = details(true);
  EXPECT_NE(plain["balance"].line().find("\"normal_range\": null"), std::string::npos);
  EXPECT_EQ(full["balance"].line().find("\"normal_range\": null"), std::string::npos);
  EXPECT_NE(plain["stability"].line().find("\"tilt_rad\": null"), std::string::npos);
  EXPECT_EQ(full["stability"].line().find("\"tilt_rad\": null"), std::string::npos);
}

TEST(Judge, what_is_far_apart_has_no_overlap_at_all) {
  Heap heap;
  heap.ball("one", Vec3(0.0, 0.0, 0.0));
  heap.ball("other", Vec3(90.0, 0.0, 0.0));
  const Judgement said = judge(heap.problem, heap.state, {.judge_balance = false});
  EXPECT_EQ(said.overlap, Answer::proven);
  EXPECT_EQ(said.penetration, 0.0);
  EXPECT_EQ(said.penetration_relative, 0.0);
  EXPECT_FALSE(said.place);
}

TEST(Judge, a_way_through_a_wall_is_missed_and_one_beside_it_proven) {
  for (const double beside : {0.0, 2.0}) {
    Heap heap;
    heap.ball("still", Vec3(0.0, 0.0, 5.0));
    heap.add("wall", shape::make_box({Vec3(2.0, 2.0, 0.1)}).value(), Vec3::Zero()).fixed = true;
    heap.ball("goes", Vec3(beside, 0.0, 2.0), 0.2);
    State to = heap.state;
    to.bodies[2].world_from_body.position.z() = -2.0;
    const Judgement said = judge_way(heap.problem, heap.state, to);
    EXPECT_EQ(said.overlap, beside > 0.0 ? Answer::proven : Answer::missed);
    EXPECT_EQ(said.penetration_relative.has_value(), beside > 0.0);
    EXPECT_EQ(said.why == "nothing overlaps on the way", beside > 0.0) << said.why;
  }
}

TEST(Judge, soft_bodies_move_unless_they_are_fixed) {
  Heap heap;
  heap.ball("rigid", Vec3::Zero());
  EXPECT_FALSE(has_soft_motion(heap.problem));
  heap.ball("soft", Vec3(3.0, 0.0, 0.0)).soft = std::make_shared<const SoftBody>();
  EXPECT_TRUE(has_soft_motion(heap.problem));
  heap.problem.bodies[1].fixed = true;
  EXPECT_FALSE(has_soft_motion(heap.problem));
}

}  // namespace
}  // namespace repose
