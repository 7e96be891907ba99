#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "repose/run/judge.h"
#include "repose/run/judge_input.h"

#include "methods/surfel/rows.h"
#include "soft_world.h"

namespace repose::surfel {
namespace {

const std::string kFloor =
    R"(, {"name": "floor", "fixed": true, "shape": {"kind": "half_space"}, "position": [0, 0, 0]})";

/// The smallest gap over the least radius, of all balls that do not belong together, by trying all
/// pairs.
double worst_gap(const Session& session) {
  auto arena = prepare_arena(session.problem(), SurfelSettings{});
  const Motion motion = read_motion(*arena, session.state());
  const Balls balls{at_balls(*arena, motion.x), {}};
  double out = 1e9;
  for (int a = 0; a < arena->balls(); ++a)
    for (int b = 0; b < a; ++b)
      if (!arena->belong_together(a, b))
        out = std::min(out, parting_of(*arena, motion, balls, {a, b, -1, -1}).gap);
  return out / arena->least_radius;
}

struct Momenta {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
  double size = 0.0, turning = 0.0;
};

Momenta momenta(const Session& session) {
  Momenta out;
  for (std::size_t b = 0; b < session.problem().bodies.size(); ++b) {
    const Body& body = session.problem().bodies[b];
    if (!body.soft) continue;
    const SoftState& soft = session.state().bodies[b].soft;
    for (std::size_t i = 0; i < body.soft->size(); ++i) {
      const Vec3 p = body.soft->masses[i] * soft.velocities[i];
      out.linear += p;
      out.angular += soft.positions[i].cross(p);
      out.size += p.norm();
      out.turning += soft.positions[i].cross(p).norm();
    }
  }
  return out;
}

TEST(surfel_contact, a_collision_with_friction_keeps_momentum_and_angular_momentum) {
  Session session = session_of(
      scene_text(cube("a", 0.1, 0.0125, "gel", Vec3::Zero(), Vec3(2.0, 0.5, 0.0)) + "," +
                     cube("b", 0.1, 0.0125, "gel", Vec3(0.115, 0.03, 0.02), Vec3(-2.0, 0.0, 0.3)),
                 R"(, "gravity": [0, 0, 0])"));
  const Momenta before = momenta(session);
  std::size_t contacts = 0;
  for (int k = 0; k < 60; ++k) {
    ASSERT_TRUE(session.step());
    contacts += session.state().contacts.size();
  }
  const Momenta after = momenta(session);
  EXPECT_GT(contacts, 50U);
  EXPECT_LT((after.linear - before.linear).norm(), 1e-9 * before.size);
  EXPECT_LT((after.angular - before.angular).norm(), 1e-9 * before.turning);
  EXPECT_GT(worst_gap(session), 0.0);
}

TEST(surfel_contact, fast_soft_bodies_do_not_pass_through_each_other) {
  Session session = session_of(
      scene_text(cube("a", 0.1, 0.0125, "gel", Vec3::Zero(), Vec3(25.0, 0.0, 0.0)) + "," +
                     cube("b", 0.1, 0.0125, "gel", Vec3(0.15, 0.01, 0.0), Vec3(-25.0, 0.0, 0.0)),
                 R"(, "gravity": [0, 0, 0])"));
  for (int k = 0; k < 60; ++k) {
    const State before = session.state();
    ASSERT_TRUE(session.step());
    if (k % 10 == 0) {
      EXPECT_EQ(judge_way(session.problem(), before, session.state()).overlap,
                check::Answer::proven);
    }
  }
  EXPECT_GT(worst_gap(session), 0.0);
  EXPECT_LT(session.state().bodies[0].soft.positions[0].x(),
            session.state().bodies[1].soft.positions[0].x());
}

TEST(surfel_contact, a_cube_falls_comes_to_rest_and_is_judged_free_of_overlap) {
  Session session =
      session_of(scene_text(cube("cube", 0.1, 0.02, "gel", Vec3(0.0, 0.0, 0.07)) + kFloor));
  StepReport report;
  int steps = 0;
  while (report.status == RunStatus::moving && steps++ < 6000) {
    auto done = session.step();
    ASSERT_TRUE(done);
    report = *done;
  }
  EXPECT_EQ(report.status, RunStatus::rest);
  const auto verdict = check::check(judge_input(session.problem(), session.state()));
  EXPECT_EQ(verdict.overlap, check::Answer::proven);
  // it carries its own weight
  Vec3 force = Vec3::Zero();
  for (const Contact& contact : session.state().contacts)
    force += (contact.body_b == 0 ? 1.0 : -1.0) * contact.force_on_b;
  EXPECT_NEAR(force.z(), 9.81 * session.problem().bodies[0].mass, 1e-2 * force.z());
}

TEST(surfel_contact, what_rests_stays_at_rest_for_ten_seconds) {
  constexpr double kHeight = 0.07, kSettled = 10.0, kEnd = 20.0;  // m, s
  Session session =
      session_of(scene_text(cube("cube", 0.1, 0.02, "gel", Vec3(0.0, 0.0, kHeight)) + kFloor));
  const double drop = session.problem().bodies[0].mass * 9.81 * (kHeight - 0.05);
  double most = 0.0;
  while (session.state().time < kEnd) {
    ASSERT_TRUE(session.step());
    const SoftBody& soft = *session.problem().bodies[0].soft;
    double kinetic = 0.0;
    for (std::size_t i = 0; i < soft.size(); ++i)
      kinetic += 0.5 * soft.masses[i] * session.state().bodies[0].soft.velocities[i].squaredNorm();
    if (session.state().time > kSettled) most = std::max(most, kinetic);
  }
  EXPECT_LT(most, 1e-8 * drop);
}

TEST(surfel_contact, a_led_plate_presses_a_cube_and_lets_it_go) {
  Session session = session_of(
      scene_text(cube("cube", 0.1, 0.02, "gel", Vec3(0.0, 0.0, 0.057)) + kFloor +
                 R"(, {"name": "plate", "shape": {"kind": "box", "size": [0.3, 0.3, 0.02]},
 "position": [0, 0, 0.13],
 "path": {"times": [0, 0.1, 0.2], "places": [{"position": [0, 0, 0.13]},
 {"position": [0, 0, 0.09]}, {"position": [0, 0, 0.14]}]}})"));
  double low = 1.0;
  while (session.state().time < 0.2) {
    auto done = session.step();
    ASSERT_TRUE(done);
    ASSERT_EQ(done->status, RunStatus::moving);
    low = std::min(low, session.state().bodies[2].world_from_body.position.z());
  }
  EXPECT_NEAR(low, 0.09, 1e-3);
  EXPECT_GT(worst_gap(session), 0.0);
}

TEST(surfel_contact, the_same_run_gives_the_same_bits) {
  const std::string text = scene_text(cube("a", 0.1, 0.02, "gel", Vec3(0.0, 0.0, 0.057)) + "," +
                                      cube("b", 0.1, 0.02, "clay", Vec3(0.02, 0.0, 0.17)) + kFloor);
  Session one = session_of(text), other = session_of(text);
  for (int k = 0; k < 60; ++k) {
    ASSERT_TRUE(one.step());
    ASSERT_TRUE(other.step());
  }
  EXPECT_EQ(state_hash(one.state()), state_hash(other.state()));
}

TEST(surfel_contact, what_it_cannot_step_is_refused_with_its_reason) {
  EXPECT_NE(refusal(scene_text(cube("a", 0.1, 0.02, "gel", Vec3(0.0, 0.0, 0.03)) + kFloor))
                .find("overlaps"),
            std::string::npos);
  EXPECT_NE(refusal(scene_text(R"({"name": "a", "shape": {"kind": "lattice", "counts": [3, 3, 3],
 "pitch": 0.1, "radius": 0.05}, "material": "gel"})"))
                .find("cannot move a body of this kind"),
            std::string::npos);
  EXPECT_NE(refusal(scene_text(R"({"name": "a", "shape": {"kind": "sample", "spacing": 0.02,
 "shape": {"kind": "ball", "radius": 0.1}}})"))
                .find("young_modulus"),
            std::string::npos);
}

// the mass centre of a ring, a bowl or a cup lies in what they hold
TEST(surfel_contact, what_is_held_by_a_hollow_body_is_not_taken_for_what_holds_it) {
  const std::string cube_here = cube("soft", 0.06, 0.0075, "gel", Vec3::Zero());
  const auto said = [&](const std::string& other) {
    const World world = world_of(scene_text(cube_here + other));
    return judge(world.problem, world.state, {.judge_balance = false});
  };
  const Judgement ring = said(
      R"(, {"name": "ring", "shape": {"kind": "torus", "ring_radius": 0.1, "tube_radius": 0.02}, "fixed": true})");
  EXPECT_EQ(ring.overlap, check::Answer::proven) << ring.why;
  EXPECT_EQ(ring.cover, check::Answer::proven) << ring.cover_why;
  const Judgement swallowed =
      said(R"(, {"name": "pea", "shape": {"kind": "ball", "radius": 0.002}, "fixed": true})");
  EXPECT_NE(swallowed.cover, check::Answer::proven);
}

/// A thin wall with held edges, as a heavy ball hits it.
std::string shot_wall() {
  return R"({"repose": 1, "method": {"kind": "surfel"}, "gravity": [0, 0, 0],
 "materials": {"gel": {"density": 3000, "young_modulus": 25566.5261035412, "friction": 0.3,
   "poisson_ratio": 0.3737797857270027}, "lead": {"density": 11000, "friction": 0.3}},
 "bodies": [{"name": "wall", "material": "gel",
   "soft": {"fixed_boxes": [{"low": [-1, -1, -1], "high": [1, -0.08, 1]},
                            {"low": [-1, 0.08, -1], "high": [1, 1, 1]}]},
   "shape": {"kind": "sample", "spacing": 0.01, "phyxel_spacing": 0.016,
             "shape": {"kind": "box", "size": [0.2, 0.2, 0.04]}}},
  {"name": "shot", "material": "lead", "position": [-0.005830238237895715, 0, 0.08],
   "velocity": [0, 0, -49.77251718214748], "shape": {"kind": "ball", "radius": 0.02}}]})";
}

// a ball set between the two faces of the wall has a normal: theirs are opposite
TEST(surfel_contact, a_thin_wall_that_is_drawn_wide_is_resampled) {
  Session session = session_of(shot_wall());
  const std::size_t before = session.state().bodies[0].soft.size();
  for (int step = 0; step < 100; ++step) ASSERT_TRUE(session.step());
  EXPECT_GT(session.state().bodies[0].soft.size(), before);
  EXPECT_EQ(judge(session.problem(), session.state(), {.judge_balance = false}).overlap,
            check::Answer::proven);
}

// what a search remembers, and who has asked for balls, saves work and changes no answer
TEST(surfel_contact, a_run_that_is_looked_at_and_begun_anew_gives_the_same_bits) {
  Session plain = session_of(shot_wall()), looked = session_of(shot_wall());
  looked.keep_states(2);
  for (int step = 0; step < 40; ++step) {
    ASSERT_TRUE(plain.step());
    ASSERT_TRUE(looked.step());
    EXPECT_EQ(looked.state().bodies[0].soft.positions.view().size(),
              looked.state().bodies[0].soft.velocities.view().size());
    if (step % 7 != 6) continue;
    // a step back and again: the search starts from nothing
    ASSERT_EQ(looked.undo(), 1);
    ASSERT_TRUE(looked.step());
  }
  EXPECT_EQ(state_hash(plain.state()), state_hash(looked.state()));
}

}  // namespace
}  // namespace repose::surfel
