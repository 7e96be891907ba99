#include <cmath>

#include "repose/run/judge.h"

#include "soft_world.h"

namespace repose::surfel {
namespace {

constexpr const char* kGround =
    R"({"name": "ground", "shape": {"kind": "half_space"}, "fixed": true})";
constexpr const char* kBox = R"({"kind": "box", "size": [0.12, 0.1, 0.08]})";

std::string solid(const std::string& name, const std::string& shape, const std::string& place) {
  return fmt::format(R"({{"name": "{}", "material": "gel", "shape": {}, {}}})", name, shape, place);
}

std::string joined(const std::vector<std::string>& bodies) {
  std::string out;
  for (const std::string& body : bodies) out += (out.empty() ? "" : ", ") + body;
  return out;
}

/// Every state's way to the next, and the last state, by the judge.
void expect_proven(Session& session, int steps) {
  State before = session.state();
  for (int k = 0; k < steps; ++k) {
    const auto report = session.step();
    ASSERT_TRUE(report) << report.error().text();
    ASSERT_NE(report->status, RunStatus::stuck) << k << ": " << report->why;
    const Judgement way = judge_way(session.problem(), before, session.state());
    ASSERT_EQ(way.overlap, check::Answer::proven) << k << ": " << way.why;
    before = session.state();
  }
  const Judgement last = judge(session.problem(), session.state(), {.judge_balance = false});
  EXPECT_EQ(last.overlap, check::Answer::proven) << last.why;
}

struct Momenta {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
  double sizes = 0.0, spins = 0.0;  // sums of sizes
};

/// Of all free bodies, from the state alone.
Momenta momenta(const Problem& problem, const State& state) {
  Momenta out;
  const auto add = [&](double mass, const Vec3& x, const Vec3& v, const Vec3& own) {
    out.linear += mass * v;
    out.angular += mass * x.cross(v) + own;
    out.sizes += mass * v.norm();
    out.spins += mass * x.norm() * v.norm() + own.norm();
  };
  for (std::size_t b = 0; b < problem.bodies.size(); ++b) {
    const Body& body = problem.bodies[b];
    const BodyState& now = state.bodies[b];
    if (body.soft != nullptr) {
      for (std::size_t i = 0; i < body.soft->masses.size(); ++i)
        add(body.soft->masses[i], now.soft.positions[i], now.soft.velocities[i], Vec3::Zero());
      continue;
    }
    const Mat3 turned = now.world_from_body.rotation.toRotationMatrix();
    add(body.mass, now.world_from_body * body.center_body, now.velocity,
        turned * body.inertia_body * turned.transpose() * now.angular_velocity);
  }
  return out;
}

TEST(surfel_rigid, solids_of_every_kind_fall_on_a_soft_block_and_the_ground) {
  const std::vector<std::string> shapes = {
      kBox, R"({"kind": "cylinder", "radius": 0.05, "height": 0.1})",
      R"({"kind": "union", "parts": [
          {"shape": {"kind": "box", "size": [0.16, 0.04, 0.04]}},
          {"shape": {"kind": "ball", "radius": 0.04}, "position": [0.08, 0, 0]}]})",
      R"({"kind": "torus", "ring_radius": 0.06, "tube_radius": 0.025})"};
  for (const std::string& shape : shapes) {
    Session session = session_of(scene_text(joined(
        {kGround, cube("block", 0.2, 0.03, "gel", {0, 0, 0.12}),
         solid(
             "one", shape,
             R"("position": [0.02, 0.01, 0.3], "axis_angle_deg": [1, 2, 0.5, 25], "velocity": [0, 0, -2])"),
         solid(
             "two", shape,
             R"("position": [0.3, 0, 0.14], "axis_angle_deg": [0, 1, 0, 35], "velocity": [-1, 0, 0])")})));
    expect_proven(session, 120);
    const Vec3 turned = session.state().bodies[2].angular_velocity;
    EXPECT_GT(turned.norm(), 0.1) << shape;
  }
}

TEST(surfel_rigid, contacts_with_friction_keep_momentum_and_angular_momentum) {
  const std::string cubes = joined(
      {cube("block", 0.2, 0.03, "gel", {0, 0, 0}),
       solid(
           "box", kBox,
           R"("position": [0.03, 0.02, 0.19], "velocity": [0.5, 0, -2], "angular_velocity": [3, -5, 8], "axis_angle_deg": [1, 2, 0.5, 25])"),
       solid(
           "ball", R"({"kind": "ball", "radius": 0.05})",
           R"("position": [0.2, 0.02, 0.02], "velocity": [-1, 0, 0], "angular_velocity": [0, 0, 20])")});
  Session session = session_of(scene_text(cubes, R"(, "gravity": [0, 0, 0])"));
  const Momenta before = momenta(session.problem(), session.state());
  std::size_t contacts = 0;
  for (int k = 0; k < 100; ++k) {
    ASSERT_TRUE(session.step());
    contacts += session.state().contacts.size();
    const Momenta now = momenta(session.problem(), session.state());
    ASSERT_LT((now.linear - before.linear).norm(), 1e-12 * before.sizes) << k;
    ASSERT_LT((now.angular - before.angular).norm(), 1e-9 * before.spins) << k;
  }
  EXPECT_GT(contacts, 20U);
}

TEST(surfel_rigid, a_box_on_a_soft_block_comes_to_rest_and_is_carried) {
  Session session =
      session_of(scene_text(joined({kGround, cube("block", 0.2, 0.035, "gel", {0, 0, 0.12}),
                                    solid("box", kBox, R"("position": [0, 0, 0.29])")})));
  for (int k = 0; k < 2500 && session.state().time < 1.5; ++k) ASSERT_TRUE(session.step());
  Vec3 force = Vec3::Zero();
  for (const Contact& contact : session.state().contacts) {
    if (contact.body_b == 2) force += contact.force_on_b;
    if (contact.body_a == 2) force -= contact.force_on_b;
  }
  const double weight = 9.81 * session.problem().bodies[2].mass;
  EXPECT_NEAR(force.z(), weight, 0.02 * weight);
  EXPECT_LT(session.state().bodies[2].velocity.norm(), 0.01);
}

TEST(surfel_rigid, a_box_slides_as_the_closed_form_says_and_holds_below_its_coefficient) {
  for (const double slope : {0.495, 0.7}) {
    const double size = std::hypot(1.0, slope);
    Session session = session_of(
        scene_text(R"({"name": "ground", "shape": {"kind": "half_space"}, "fixed": true}, )"
                   R"({"name": "box", "shape": {"kind": "box", "size": [0.12, 0.1, 0.08]},)"
                   R"( "position": [0, 0, 0.0402]})",
                   fmt::format(R"(, "gravity": [{}, 0, {}])", 9.81 * slope / size, -9.81 / size)));
    const auto speed = [&] { return session.state().bodies[1].velocity.x(); };
    for (int k = 0; k < 100; ++k) ASSERT_TRUE(session.step());
    const double before = speed(), start = session.state().time;
    for (int k = 0; k < 100; ++k) ASSERT_TRUE(session.step());
    const double gained = (session.state().time - start) * 9.81 * std::max(0.0, slope - 0.5) / size;
    EXPECT_NEAR(speed() - before, gained, 5e-3 * gained + 1e-4) << slope;
  }
}

TEST(surfel_rigid, a_led_paddle_that_turns_pushes_a_soft_block) {
  Session session = session_of(
      scene_text(joined({kGround, cube("block", 0.2, 0.035, "gel", {0, 0, 0.12}),
                         R"({"name": "paddle", "shape": {"kind": "box", "size": [0.6, 0.04, 0.2]},
           "path": {"times": [0, 0.5], "places": [
             {"position": [0, -0.25, 0.12]},
             {"position": [0, -0.25, 0.12], "axis_angle_deg": [0, 0, 1, 60]}]}})"})));
  expect_proven(session, 200);
  EXPECT_GT(session.state().time, 0.01);
}

TEST(surfel_rigid, what_cannot_be_is_refused_with_its_place) {
  EXPECT_NE(refusal(scene_text(joined({solid("lower", kBox, R"("position": [0, 0, 0])"),
                                       solid("upper", kBox, R"("position": [0, 0, 0.05])")})))
                .find("overlaps"),
            std::string::npos);
  EXPECT_NE(refusal(scene_text(joined({solid("box", kBox, R"("position": [0, 0, 0.1])"),
                                       cube("block", 0.2, 0.035, "gel", {0, 0, 0})})))
                .find("overlaps"),
            std::string::npos);
}

}  // namespace
}  // namespace repose::surfel
