#include "repose/place/interference.h"
#include "repose/run/edits.h"
#include "repose/run/loop.h"

#include "methods/place/place_scene.h"

namespace repose::place {
namespace {

Pose at(double x, double y, double z) {
  return {Vec3(x, y, z), Quat::Identity()};
}

/// A ball over a bowl-like ring of three fixed balls, and a box beside them on the ground.
struct Desk {
  PlaceScene scene;
  int ball = -1, box = -1;

  Desk() {
    scene.add_ground();
    box = scene.add(shape::make_box({Vec3(1.0, 1.0, 0.5)}), at(0, 0, 0.3), false);
    ball = scene.add(shape::make_ball({0.2}), at(0.1, 0.0, 1.0), false);
  }
  Result<Session> start(const SettingValues& settings = {}) {
    return Session::start(scene.problem, scene.state, method_info(), settings);
  }
  const std::string& name(int body) const {
    return scene.problem.bodies[static_cast<std::size_t>(body)].name;
  }
};

double height(const Session& session, int body) {
  return session.state().bodies[static_cast<std::size_t>(body)].world_from_body.position.z();
}

RunStatus settle(Session& session) {
  RunObserver nobody;
  auto out = run_to_end(session, {}, nobody);
  EXPECT_TRUE(static_cast<bool>(out)) << out.error().text();
  return out ? out->status : RunStatus::stuck;
}

TEST(PlaceEdit, the_probe_says_free_touching_and_overlapping_and_where) {
  Desk desk;
  const auto probe = InterferenceProbe::prepare(desk.scene.problem);
  ASSERT_TRUE(static_cast<bool>(probe)) << probe.error().text();
  const auto ask = [&](const Pose& pose) {
    return probe->at(desk.scene.problem, desk.scene.state, desk.ball, pose);
  };
  EXPECT_EQ(ask(at(0, 0, 1.0)).meeting, Meeting::free);
  // the box's top is at 0.55
  const Interference touching = ask(at(0.1, 0.0, 0.75 + 1e-9));
  EXPECT_EQ(touching.meeting, Meeting::touching);
  ASSERT_FALSE(touching.places.empty());
  EXPECT_EQ(touching.places.front().other, desk.box);
  EXPECT_LT((touching.places.front().point_world - Vec3(0.1, 0.0, 0.55)).norm(), 1e-6);
  EXPECT_GT(touching.places.front().normal.z(), 0.999);
  const Interference deep = ask(at(0.1, 0.0, 0.70));
  EXPECT_EQ(deep.meeting, Meeting::overlapping);
  EXPECT_NEAR(deep.places.front().gap, -0.05, 1e-9);
  // wholly inside the box
  EXPECT_EQ(ask(at(0.0, 0.0, 0.3)).meeting, Meeting::overlapping);
}

TEST(PlaceEdit, a_run_is_interrupted_resumed_undone_redone_and_branched) {
  Desk desk;
  auto whole = desk.start();
  auto broken = desk.start();
  ASSERT_TRUE(static_cast<bool>(whole) && static_cast<bool>(broken));
  broken->keep_states(1000);
  EXPECT_EQ(settle(*whole), RunStatus::rest);
  for (int k = 0; k < 3; ++k) ASSERT_TRUE(static_cast<bool>(broken->step()));
  const std::string third = state_hash(broken->state());
  auto other_way = broken->branch();
  ASSERT_TRUE(static_cast<bool>(other_way));
  EXPECT_EQ(settle(*broken), RunStatus::rest);
  EXPECT_EQ(state_hash(broken->state()), state_hash(whole->state()));
  const std::string last = state_hash(broken->state());
  const int steps = static_cast<int>(broken->state().step);
  EXPECT_EQ(broken->undo(steps - 3), steps - 3);
  EXPECT_EQ(state_hash(broken->state()), third);
  EXPECT_EQ(broken->redo(steps), steps - 3);
  EXPECT_EQ(state_hash(broken->state()), last);
  // the branch goes its own way from the third state
  EXPECT_EQ(state_hash(other_way->state()), third);
  ASSERT_TRUE(static_cast<bool>(other_way->apply(nudge(desk.name(desk.ball), Vec3(0.9, 0, 0)))));
  EXPECT_EQ(settle(*other_way), RunStatus::rest);
  EXPECT_NEAR(height(*other_way, desk.ball), 0.2, 1e-8);
  EXPECT_NEAR(height(*broken, desk.ball), 0.7, 1e-8);
}

TEST(PlaceEdit, repositioning_into_a_body_is_refused_and_changes_nothing) {
  Desk desk;
  auto session = desk.start();
  ASSERT_TRUE(static_cast<bool>(session));
  const std::string before = state_hash(session->state());
  EXPECT_FALSE(static_cast<bool>(session->apply(reposition(desk.name(desk.ball), at(0, 0, 0.6)))));
  EXPECT_EQ(state_hash(session->state()), before);
  ASSERT_TRUE(static_cast<bool>(session->apply(reposition(desk.name(desk.ball), at(3, 0, 0.5)))));
  EXPECT_EQ(settle(*session), RunStatus::rest);
  EXPECT_NEAR(height(*session, desk.ball), 0.2, 1e-8);
}

TEST(PlaceEdit, an_attached_body_moves_with_the_other_until_detached) {
  Desk desk;
  auto session = desk.start();
  ASSERT_TRUE(static_cast<bool>(session));
  const double apart = height(*session, desk.ball) - height(*session, desk.box);
  ASSERT_TRUE(static_cast<bool>(session->apply(attach(desk.name(desk.ball), desk.name(desk.box)))));
  EXPECT_EQ(settle(*session), RunStatus::rest);
  EXPECT_NEAR(height(*session, desk.box), 0.25, 1e-8);
  EXPECT_NEAR(height(*session, desk.ball) - height(*session, desk.box), apart, 1e-9);
  ASSERT_TRUE(static_cast<bool>(session->apply(detach(desk.name(desk.ball), desk.name(desk.box)))));
  EXPECT_EQ(settle(*session), RunStatus::rest);
  EXPECT_NEAR(height(*session, desk.ball), 0.7, 1e-8);
}

TEST(PlaceEdit, ground_sticks_to_what_stands_on_it_and_never_to_other_ground) {
  Desk desk;
  const int below = desk.scene.add(shape::make_half_space(), at(0, 0, -1), true);
  const int ground = 0;
  auto session = desk.start();
  ASSERT_TRUE(static_cast<bool>(session));
  EXPECT_FALSE(static_cast<bool>(session->apply(stick(desk.name(ground)))));
  EXPECT_FALSE(static_cast<bool>(session->apply(stick(desk.name(below)))));
  EXPECT_EQ(settle(*session), RunStatus::rest);
  EXPECT_FALSE(static_cast<bool>(session->apply(stick(desk.name(below)))));
}

TEST(PlaceEdit, a_body_sticks_to_what_it_touches_only) {
  Desk desk;
  auto session = desk.start();
  ASSERT_TRUE(static_cast<bool>(session));
  EXPECT_FALSE(static_cast<bool>(session->apply(stick(desk.name(desk.ball)))));
  EXPECT_EQ(settle(*session), RunStatus::rest);
  ASSERT_TRUE(static_cast<bool>(session->apply(stick(desk.name(desk.ball)))));
  // lifted and turned over, the ball comes along under the box
  const Pose before = session->state().bodies[static_cast<std::size_t>(desk.box)].world_from_body;
  ASSERT_TRUE(static_cast<bool>(session->apply(nudge(desk.name(desk.box), Vec3(0.0, 0.0, 0.0)))));
  EXPECT_EQ(settle(*session), RunStatus::rest);
  EXPECT_LT((session->state().bodies[static_cast<std::size_t>(desk.box)].world_from_body.position -
             before.position)
                .norm(),
            1e-6);
  EXPECT_EQ(session->problem().joints.size(), 1U);
}

TEST(PlaceEdit, a_copy_settles_beside_its_original) {
  Desk desk;
  auto session = desk.start();
  ASSERT_TRUE(static_cast<bool>(session));
  ASSERT_TRUE(
      static_cast<bool>(session->apply(replicate(desk.name(desk.ball), "copy", Vec3(2, 0, 0)))));
  EXPECT_EQ(settle(*session), RunStatus::rest);
  const int copy = session->problem().find_body("copy");
  ASSERT_GE(copy, 0);
  EXPECT_NEAR(height(*session, copy), 0.2, 1e-8);
  EXPECT_NEAR(height(*session, desk.ball), 0.7, 1e-8);
}

TEST(PlaceEdit, a_frozen_axis_stays_where_it_is) {
  Desk desk;
  auto session = desk.start();
  ASSERT_TRUE(static_cast<bool>(session));
  ASSERT_TRUE(static_cast<bool>(
      session->apply(freeze(desk.name(desk.ball), {false, false, true, false, false, false}))));
  EXPECT_EQ(settle(*session), RunStatus::rest);
  EXPECT_EQ(height(*session, desk.ball), 1.0);
  EXPECT_NEAR(height(*session, desk.box), 0.25, 1e-8);
}

TEST(PlaceEdit, a_body_without_collision_is_carried_through_others) {
  Desk desk;
  auto session = desk.start();
  ASSERT_TRUE(static_cast<bool>(session));
  const std::string& ball = desk.name(desk.ball);
  ASSERT_TRUE(static_cast<bool>(session->apply(let_collide(ball, false))));
  ASSERT_TRUE(static_cast<bool>(session->apply(reposition(ball, at(0, 0, 0.3)))));
  // inside the box it cannot collide again
  EXPECT_FALSE(static_cast<bool>(session->apply(let_collide(ball, true))));
  ASSERT_TRUE(static_cast<bool>(session->apply(reposition(ball, at(2, 0, 0.3)))));
  ASSERT_TRUE(static_cast<bool>(session->apply(let_collide(ball, true))));
  EXPECT_EQ(settle(*session), RunStatus::rest);
  EXPECT_NEAR(height(*session, desk.ball), 0.2, 1e-8);
}

TEST(PlaceEdit, parameters_and_the_engine_change_while_it_runs) {
  PlaceScene scene;
  scene.add_ground();
  const int ball = scene.add(shape::make_ball({0.2}), at(0, 0, 3.0), false);
  auto session = Session::start(scene.problem, scene.state, method_info(), {});
  ASSERT_TRUE(static_cast<bool>(session));
  session->keep_states(100);
  ASSERT_TRUE(static_cast<bool>(session->step()));
  ASSERT_TRUE(static_cast<bool>(session->apply(set_parameter("epsilon_max", 0.01))));
  ASSERT_TRUE(static_cast<bool>(session->step()));
  ASSERT_TRUE(static_cast<bool>(session->apply(set_parameter("engine", std::string("paper")))));
  ASSERT_TRUE(static_cast<bool>(session->apply(reposition("body 1", at(0, 0, 3.0)))));
  const double before = height(*session, ball);
  ASSERT_TRUE(static_cast<bool>(session->step()));
  // the paper's first step is 0.05 of the reach
  EXPECT_NEAR(before - height(*session, ball), 0.05 * 0.2, 1e-12);
  ASSERT_TRUE(static_cast<bool>(session->apply(set_parameter("engine", std::string("default")))));
  ASSERT_TRUE(static_cast<bool>(session->apply(set_parameter("epsilon_max", 0.5))));
  EXPECT_EQ(settle(*session), RunStatus::rest);
  EXPECT_NEAR(height(*session, ball), 0.2, 1e-8);
  EXPECT_FALSE(static_cast<bool>(session->apply(set_parameter("epsilon_max", -1.0))));
}

TEST(PlaceEdit, a_rest_in_a_thin_bowl_is_a_free_start_again) {
  PlaceScene scene;
  shape::RevolutionInput bowl;
  bowl.profile = {Vec2(0, 0.06),    Vec2(0.3, 0.06),  Vec2(0.33, 0),    Vec2(0.4, 0),
                  Vec2(0.43, 0.07), Vec2(0.78, 0.24), Vec2(1.04, 0.52), Vec2(1.16, 0.85),
                  Vec2(1.12, 0.85), Vec2(1.0, 0.54),  Vec2(0.75, 0.29), Vec2(0.4, 0.145),
                  Vec2(0, 0.11)};
  bowl.corners = {1, 2, 3, 4, 7, 8};
  scene.add(shape::make_revolution(bowl), {}, true);
  const int egg =
      scene.add(shape::make_ellipsoid({Vec3(0.3, 0.2, 0.1)}), at(0.1, 0.05, 0.6), false);
  auto session = Session::start(scene.problem, scene.state, method_info(), {});
  ASSERT_TRUE(static_cast<bool>(session)) << session.error().text();
  session->keep_states(1000);
  const RunStatus first = settle(*session);
  EXPECT_TRUE(first == RunStatus::rest || first == RunStatus::metastable);
  const double before = height(*session, egg);
  const auto done = session->apply(freeze("body 1", {}));
  ASSERT_TRUE(static_cast<bool>(done)) << done.error().text();
  EXPECT_EQ(settle(*session), first);
  EXPECT_NEAR(height(*session, egg), before, 1e-6);
}

TEST(PlaceEdit, a_heap_grows_through_events_at_rest) {
  PlaceScene scene;
  scene.add_ground();
  scene.add(shape::make_ball({0.2}), at(0, 0, 0.5), false);
  Edit add;
  add.kind = EditKind::add;
  Body next = scene.problem.bodies[1];
  next.name = "second";
  add.body = std::make_shared<const Body>(next);
  add.body_state.world_from_body = at(0.05, 0.0, 1.0);
  for (const Edit& edit : {fix("body 1"), add}) {
    TimedEvent event;
    event.when = AtRest{};
    event.edit = edit;
    scene.problem.events.push_back(event);
  }
  auto session = Session::start(scene.problem, scene.state, method_info(), {});
  ASSERT_TRUE(static_cast<bool>(session));
  EXPECT_EQ(settle(*session), RunStatus::rest);
  ASSERT_EQ(session->problem().bodies.size(), 3U);
  // it rolled off the first one
  EXPECT_NEAR(height(*session, 2), 0.2, 1e-8);
  EXPECT_TRUE(session->problem().bodies[1].fixed);
}

}  // namespace
}  // namespace repose::place
