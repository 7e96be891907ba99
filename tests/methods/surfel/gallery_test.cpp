#include "repose/scene/gallery.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "repose/run/judge.h"

#include "soft_world.h"

namespace repose::surfel {
namespace {

Session gallery_session(const std::string& name) {
  auto scene = open_scene("surfel/" + name, method_catalogue());
  EXPECT_TRUE(scene) << (scene ? "" : scene.error().wrong);
  auto world = build_world(*scene);
  EXPECT_TRUE(world) << (world ? "" : world.error().wrong);
  auto session = Session::start(world->problem, world->state, method(), scene->method.settings);
  EXPECT_TRUE(session) << (session ? "" : session.error().wrong);
  return std::move(*session);
}

void step_until(Session& session, double time) {
  while (session.state().time < time) {
    auto done = session.step();
    ASSERT_TRUE(done);
    if (done->status != RunStatus::moving) return;
  }
}

/// kg m/s along x.
double momentum_of(const Session& session, std::size_t body) {
  const SoftBody& soft = *session.problem().bodies[body].soft;
  double out = 0.0;
  for (std::size_t i = 0; i < soft.size(); ++i)
    out += soft.masses[i] * session.state().bodies[body].soft.velocities[i].x();
  return out;
}

TEST(surfel_gallery, the_cradle_hands_its_momentum_to_the_last_sphere) {
  Session session = gallery_session("newtons-cradle");
  const double first = momentum_of(session, 0);
  step_until(session, 0.3);
  EXPECT_GT(momentum_of(session, 4), 0.8 * first);
  for (std::size_t body = 0; body < 4; ++body)
    EXPECT_LT(std::abs(momentum_of(session, body)), 0.15 * first);
  EXPECT_EQ(judge(session.problem(), session.state(), {.judge_balance = false}).overlap,
            check::Answer::proven);
}

TEST(surfel_gallery, clay_keeps_its_dent) {
  Session session = gallery_session("clay");
  step_until(session, 1.0);
  // the top of the block, near the ball's place and far from it
  const SoftState& soft = session.state().bodies[1].soft;
  double near = 0.0, far = 0.0;
  for (std::size_t i = 0; i < soft.size(); ++i) {
    const Vec3& p = soft.positions[i];
    double& top = std::hypot(p.x(), p.y()) < 0.02 ? near : far;
    top = std::max(top, p.z() + soft.radii[i]);
  }
  EXPECT_LT(near, far - 0.003);
  EXPECT_EQ(judge(session.problem(), session.state(), {.judge_balance = false}).overlap,
            check::Answer::proven);
}

TEST(surfel_gallery, the_tearing_head_becomes_two_bodies_that_touch) {
  constexpr double kEvery = 0.1, kEnd = 2.0;  // s
  Session session = gallery_session("tearing-head");
  bool touched = false;
  for (double next = kEvery; next <= kEnd; next += kEvery) {
    while (session.state().time < next) {
      ASSERT_TRUE(session.step());
      for (const Contact& contact : session.state().contacts)
        touched = touched || (contact.body_a > 0 && contact.body_b > 0);
    }
    const auto said = judge(session.problem(), session.state(), {.judge_balance = false});
    ASSERT_EQ(said.overlap, check::Answer::proven) << next << " " << said.why;
    ASSERT_EQ(said.cover, check::Answer::proven) << next << " " << said.cover_why;
  }
  EXPECT_EQ(session.problem().bodies.size(), 3U);  // with the ground
  EXPECT_TRUE(touched);
}

}  // namespace
}  // namespace repose::surfel
