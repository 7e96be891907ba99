#include "repose/run/loop.h"

#include <cmath>

#include <gtest/gtest.h>

#include "repose/run/catalogue.h"

#include "run/falling.h"

namespace repose {
namespace {

struct Watcher : RunObserver {
  std::vector<long> frames;
  std::vector<std::string> events;
  std::vector<double> fractions;
  std::atomic<bool> interrupt = false;
  long interrupt_at = -1;

  Result<Done> frame(const Session& session, const Audit&) override {
    frames.push_back(session.state().step);
    return Done{};
  }
  Result<Done> event(const Session&, const Edit& edit) override {
    events.push_back(name_of(edit.kind) + " " + edit.target);
    return Done{};
  }
  void progress(const RunProgress& progress) override {
    fractions.push_back(progress.fraction);
    if (progress.step == interrupt_at) interrupt = true;
  }
};

Session falling_from(double z, std::vector<TimedEvent> events = {}) {
  testing::Balls balls(2);
  balls.problem.events = std::move(events);
  for (BodyState& body : balls.state.bodies) body.world_from_body.position.z() = z;
  auto session = Session::start(balls.problem, balls.state, testing::falling(), {});
  EXPECT_TRUE(session);
  return std::move(*session);
}

Edit edit(EditKind kind, const std::string& target = {}, SettingValues values = {}) {
  Edit out;
  out.kind = kind;
  out.target = target;
  out.values = std::move(values);
  return out;
}

TimedEvent at_step(long step, Edit what) {
  TimedEvent out;
  out.when = AtStep{step};
  out.edit = std::move(what);
  return out;
}

TEST(loop, a_run_ends_at_rest_and_shows_first_and_last_state) {
  Session session = falling_from(2.0);
  Watcher watcher;
  RunLimits limits;
  limits.frame_every_steps = 3;
  const auto outcome = run_to_end(session, limits, watcher);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->status, RunStatus::rest);
  EXPECT_EQ(session.state().step, 5);
  EXPECT_EQ(watcher.frames, (std::vector<long>{0, 3, 5}));
  EXPECT_EQ(outcome->frames, 3);
  EXPECT_GT(outcome->first.energy, outcome->final.energy);
}

TEST(loop, limits_of_steps_and_duration_finish_a_run) {
  Session by_steps = falling_from(100.0), by_time = falling_from(100.0);
  Watcher watcher;
  RunLimits limits;
  limits.steps = 7;
  EXPECT_EQ(run_to_end(by_steps, limits, watcher)->status, RunStatus::finished);
  EXPECT_EQ(by_steps.state().step, 7);
  EXPECT_EQ(watcher.fractions.back(), 1.0);
  limits = {};
  limits.duration = 1.05;
  EXPECT_EQ(run_to_end(by_time, limits, watcher)->status, RunStatus::finished);
  EXPECT_EQ(by_time.state().step, 11);
}

TEST(loop, a_duration_ends_on_the_step_it_names_although_times_are_sums) {
  for (const long steps : {3L, 10L, 17L, 1000L, 12345L}) {
    Session session = falling_from(1e6);
    Watcher watcher;
    RunLimits limits;
    limits.duration = static_cast<double>(steps) / 10.0;
    EXPECT_EQ(run_to_end(session, limits, watcher)->status, RunStatus::finished);
    EXPECT_EQ(session.state().step, steps);
  }
}

TEST(loop, frames_by_time_come_evenly_although_times_are_sums) {
  Session session = falling_from(1e6);
  Watcher watcher;
  RunLimits limits;
  limits.duration = 100.0;
  limits.frame_every_time = 0.5;
  EXPECT_EQ(run_to_end(session, limits, watcher)->status, RunStatus::finished);
  ASSERT_EQ(watcher.frames.size(), 201u);
  for (std::size_t i = 0; i < watcher.frames.size(); ++i)
    EXPECT_EQ(watcher.frames[i], 5 * static_cast<long>(i));
}

TEST(loop, an_interrupted_run_is_stopped_and_goes_on_to_the_same_end) {
  Session whole = falling_from(20.0), broken = falling_from(20.0);
  Watcher watcher;
  ASSERT_EQ(run_to_end(whole, {}, watcher)->status, RunStatus::rest);
  RunLimits limits;
  limits.interrupt = &watcher.interrupt;
  watcher.interrupt_at = 10;
  const auto stopped = run_to_end(broken, limits, watcher);
  EXPECT_EQ(stopped->status, RunStatus::stopped);
  EXPECT_EQ(broken.state().step, 10);
  watcher.interrupt = false;
  EXPECT_EQ(run_to_end(broken, limits, watcher)->status, RunStatus::rest);
  EXPECT_EQ(state_hash(broken.state()), state_hash(whole.state()));
}

TEST(loop, events_fire_by_step_by_time_and_at_rest) {
  TimedEvent by_time;
  by_time.when = AtTime{0.45};
  by_time.edit = edit(EditKind::set, "speed", {{"value", 1.0}});
  TimedEvent at_rest;
  at_rest.when = AtRest{};
  at_rest.edit = edit(EditKind::release);
  Session session = falling_from(3.0, {at_step(2, edit(EditKind::fix, "ball1")), by_time, at_rest});
  Watcher watcher;
  const auto outcome = run_to_end(session, {}, watcher);
  ASSERT_TRUE(outcome) << outcome.error().text();
  EXPECT_EQ(watcher.events, (std::vector<std::string>{"fix ball1", "set speed", "release "}));
  EXPECT_EQ(outcome->status, RunStatus::rest);
  EXPECT_EQ(session.state().bodies[0].world_from_body.position.z(), 0.0);
  // ball1 fell for two steps, was held, and then lifted
  EXPECT_EQ(session.state().bodies[1].world_from_body.position.z(), 3.0);
}

TEST(loop, events_at_rest_happen_one_at_each_rest) {
  std::vector<TimedEvent> events(3);
  for (std::size_t i = 0; i < events.size(); ++i) {
    events[i].when = AtRest{i == 0 ? 1 : 2};
    events[i].edit = edit(i == 1 ? EditKind::fix : EditKind::release, i == 1 ? "ball1" : "");
  }
  Session session = falling_from(1.0, events);
  Watcher watcher;
  EXPECT_EQ(run_to_end(session, {}, watcher)->status, RunStatus::rest);
  EXPECT_EQ(watcher.events, (std::vector<std::string>{"release ", "fix ball1", "release "}));
  // down, lifted and down again, then the held ball is only lifted
  EXPECT_EQ(session.state().bodies[0].world_from_body.position.z(), 0.0);
  EXPECT_GT(session.state().bodies[1].world_from_body.position.z(), 0.0);
}

TEST(loop, rest_waits_for_events_that_are_still_to_come) {
  Session session = falling_from(1.0, {at_step(20, edit(EditKind::release))});
  Watcher watcher;
  EXPECT_EQ(run_to_end(session, {}, watcher)->status, RunStatus::rest);
  EXPECT_EQ(watcher.events.size(), 1U);
  EXPECT_EQ(session.state().step, 23);
}

TEST(loop, a_stop_event_finishes_the_run) {
  Session session = falling_from(100.0, {at_step(4, edit(EditKind::stop))});
  Watcher watcher;
  EXPECT_EQ(run_to_end(session, {}, watcher)->status, RunStatus::finished);
  EXPECT_EQ(session.state().step, 4);
}

TEST(loop, an_event_that_cannot_happen_is_an_error_with_its_place) {
  Session session = falling_from(100.0, {at_step(4, edit(EditKind::remove, "nobody"))});
  Watcher watcher;
  const auto outcome = run_to_end(session, {}, watcher);
  ASSERT_FALSE(outcome);
  EXPECT_NE(outcome.error().text().find("event 'remove'"), std::string::npos);
  EXPECT_NE(outcome.error().text().find("nobody"), std::string::npos);
}

TEST(loop, still_moves_nothing_and_knows_its_potential_energy) {
  testing::Balls balls(3);
  const double mass = balls.problem.bodies[0].mass;
  const auto method = find_method("still");
  ASSERT_TRUE(method);
  auto session = Session::start(balls.problem, balls.state, **method, {{"steps", std::int64_t{4}}});
  ASSERT_TRUE(session);
  Watcher watcher;
  const auto outcome = run_to_end(*session, {}, watcher);
  EXPECT_EQ(outcome->status, RunStatus::finished);
  EXPECT_EQ(session->state().step, 4);
  EXPECT_NEAR(outcome->final.energy, 3 * mass * 9.81 * 0.5, 1e-9 * mass);
  EXPECT_TRUE(std::isnan(outcome->worst_gap)) << "still makes no claim of gaps";
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ(session->state().bodies[i].world_from_body.position,
              balls.state.bodies[i].world_from_body.position);
}

TEST(catalogue, an_unknown_method_is_refused_with_the_known_ones) {
  const auto method = find_method("stil");
  ASSERT_FALSE(method);
  EXPECT_NE(method.error().text().find("still"), std::string::npos);
}

}  // namespace
}  // namespace repose
