#include "methods/surfel/fracture.h"

#include <gtest/gtest.h>

#include "repose/run/judge.h"

#include "soft_world.h"

namespace repose::surfel {
namespace {

struct Sums {
  double mass = 0.0, size = 0.0;
  Vec3 momentum = Vec3::Zero(), turning = Vec3::Zero();
};

Sums sums_of(const Session& session) {
  Sums out;
  for (std::size_t b = 0; b < session.problem().bodies.size(); ++b) {
    const SoftBody& soft = *session.problem().bodies[b].soft;
    const SoftState& state = session.state().bodies[b].soft;
    for (std::size_t i = 0; i < soft.size(); ++i) {
      const Vec3 p = soft.masses[i] * state.velocities[i];
      out.mass += soft.masses[i];
      out.size += p.norm();
      out.momentum += p;
      out.turning += state.positions[i].cross(p);
    }
  }
  return out;
}

/// A bar that two forces draw apart.
std::string drawn_bar(const std::string& material, double force) {
  return fmt::format(
      R"({{"repose": 1, "method": {{"kind": "surfel"}}, "gravity": [0, 0, 0],
 "materials": {{"stuff": {}}},
 "bodies": [{{"name": "bar", "material": "stuff", "velocity": [0.3, 0, 0], "angular_velocity": [0, 0.5, 0],
 "shape": {{"kind": "sample", "spacing": 0.0125, "shape": {{"kind": "box", "size": [0.1, 0.1, 0.3]}}}}}}],
 "forces": [{{"kind": "push", "body": "bar", "point": [0, 0, 0.13], "vector": [0, 0, {}]}},
 {{"kind": "push", "body": "bar", "point": [0, 0, -0.13], "vector": [0, 0, {}]}}]}})",
      material, force, -force);
}

TEST(surfel_fracture, a_bar_drawn_apart_becomes_two_bodies_with_its_mass_and_momentum) {
  Session session = session_of(
      drawn_bar(R"({"density": 1000, "young_modulus": 20000, "poisson_ratio": 0.3, "damping": 0.02,
 "yield_strain": 0.05, "creep": 40, "break_strain": 1.0})",
                60.0));
  const Sums before = sums_of(session);
  Sums last = before;
  for (int k = 0; k < 20000 && session.problem().bodies.size() == 1; ++k) {
    last = sums_of(session);
    ASSERT_TRUE(session.step());
  }
  ASSERT_EQ(session.problem().bodies.size(), 2U);
  const Sums after = sums_of(session);
  EXPECT_NEAR(after.mass, before.mass, 1e-12 * before.mass);
  EXPECT_LT((after.momentum - before.momentum).norm(), 1e-9 * after.size);
  EXPECT_EQ(session.problem().bodies[0].name, "bar");
  const auto said = judge(session.problem(), session.state(), {.judge_balance = false});
  EXPECT_EQ(said.overlap, check::Answer::proven) << said.why;
  EXPECT_EQ(said.cover, check::Answer::proven) << said.cover_why;
  for (int k = 0; k < 50; ++k) ASSERT_TRUE(session.step());
  EXPECT_EQ(session.problem().bodies.size(), 2U);
  const auto later = judge(session.problem(), session.state(), {.judge_balance = false});
  EXPECT_EQ(later.overlap, check::Answer::proven) << later.why;
  EXPECT_EQ(later.cover, check::Answer::proven) << later.cover_why;
}

TEST(surfel_fracture, a_spinning_bar_tears_itself_and_keeps_both_momenta) {
  Session session = session_of(
      R"({"repose": 1, "method": {"kind": "surfel"}, "gravity": [0, 0, 0],
 "materials": {"stuff": {"density": 1000, "young_modulus": 20000, "poisson_ratio": 0.3,
 "damping": 0.005, "break_strain": 0.3}},
 "bodies": [{"name": "bar", "material": "stuff", "velocity": [0.3, 0.1, 0],
 "angular_velocity": [0, 150, 0], "shape": {"kind": "sample", "spacing": 0.0125,
 "shape": {"kind": "box", "size": [0.1, 0.1, 0.3]}}}]})");
  const Sums before = sums_of(session);
  for (int k = 0; k < 400 && session.problem().bodies.size() == 1; ++k) ASSERT_TRUE(session.step());
  ASSERT_GE(session.problem().bodies.size(), 2U);
  for (int k = 0; k < 20; ++k) ASSERT_TRUE(session.step());
  const Sums after = sums_of(session);
  EXPECT_NEAR(after.mass, before.mass, 1e-12 * before.mass);
  EXPECT_LT((after.momentum - before.momentum).norm(), 1e-9 * before.size);
  EXPECT_LT((after.turning - before.turning).norm(), 1e-9 * before.turning.norm());
}

TEST(surfel_fracture, what_does_not_break_stays_one_body) {
  Session session = session_of(drawn_bar(
      R"({"density": 1000, "young_modulus": 200000, "poisson_ratio": 0.3, "break_strain": 1.0})",
      6.0));
  for (int k = 0; k < 500; ++k) ASSERT_TRUE(session.step());
  EXPECT_EQ(session.problem().bodies.size(), 1U);
}

}  // namespace
}  // namespace repose::surfel
