// Collisions and Painleve's rod.
#include <gtest/gtest.h>

#include "repose/mechanism/impulses.h"

#include "methods/mechanism/forces_scenes.h"

namespace repose::mechanism {
namespace {

/// Equal balls of radius 1/2 in a row along x, touching, the first moving with speed 1.
PlaneScene row_of_balls(int count) {
  PlaneScene scene;
  for (int k = 0; k < count; ++k) scene.add_body(k, 0.0, 1.0, 0.1);
  scene.bodies[0].velocity = {1.0, 0.0, 0.0};
  for (int k = 0; k + 1 < count; ++k) scene.add_contact(k, k + 1, k + 0.5, 0.0, -1.0, 0.0, -1.0);
  for (ForceRow& row : scene.problem.rows) row.b = scene.along(row, true);
  return scene;
}

std::vector<double> speeds_after(const PlaneScene& scene, const Impulses& impulses) {
  std::vector<std::array<double, 3>> total;
  body_forces_of(scene.problem, impulses.p, total);
  std::vector<double> speeds;
  for (std::size_t k = 0; k < total.size(); ++k) {
    speeds.push_back(scene.bodies[k].velocity[0] + total[k][0] * scene.problem.bodies[k][0]);
  }
  return speeds;
}

TEST(Impulses, newtons_cradle_tells_the_two_laws_apart) {
  const PlaneScene scene = row_of_balls(5);
  const std::vector<double> e(scene.problem.rows.size(), 1.0);
  const Impulses in_turn = solve_impulses(scene.problem, e, {.law = BlowLaw::sequential});
  ASSERT_EQ(in_turn.status, ForceStatus::solved);
  const std::vector<double> passed = speeds_after(scene, in_turn);
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(passed[k], 0.0, 1e-12);
  EXPECT_NEAR(passed[4], 1.0, 1e-12);
  EXPECT_EQ(in_turn.blows, 4);

  const Impulses at_once = solve_impulses(scene.problem, e, {});
  ASSERT_EQ(at_once.status, ForceStatus::solved);
  const std::vector<double> shared = speeds_after(scene, at_once);
  // v+ = -e v- at the struck contact, no separation at the others: the first ball bounces back and
  // the other four move on together
  EXPECT_NEAR(shared[0], -0.6, 1e-9);
  for (int k = 1; k < 5; ++k) EXPECT_NEAR(shared[k], 0.4, 1e-9);
  EXPECT_NEAR(at_once.energy_change, 0.0, 1e-9);
}

TEST(Impulses, momentum_is_kept_and_energy_never_gained) {
  for (int seed = 0; seed < 300; ++seed) {
    Random random(static_cast<std::uint64_t>(seed) * 11 + 1);
    PlaneScene scene = random_scene(random, 0.0);
    std::vector<double> e(scene.problem.rows.size());
    for (auto& body : scene.bodies) {
      body.velocity = {random.normal(), random.normal(), random.normal()};
    }
    for (std::size_t i = 0; i < e.size(); ++i) {
      scene.problem.rows[i].b = scene.along(scene.problem.rows[i], true);
      e[i] = random.unit();
    }
    for (const BlowLaw law : {BlowLaw::simultaneous, BlowLaw::sequential}) {
      const Impulses impulses = solve_impulses(scene.problem, e, {.law = law});
      if (impulses.status != ForceStatus::solved) {
        EXPECT_FALSE(impulses.why.empty()) << seed;
        continue;
      }
      double size = 1.0;
      for (const double p : impulses.p) size = std::max(size, std::abs(p));
      EXPECT_LE(impulses.energy_change, 1e-8 * size) << seed << " law " << static_cast<int>(law);
      for (std::size_t i = 0; i < e.size(); ++i) {
        if (scene.problem.rows[i].kind != RowKind::normal) continue;
        EXPECT_GE(impulses.p[i], -1e-9 * size) << seed;
        EXPECT_GE(impulses.velocity[i], -1e-7 * size) << seed << " law " << static_cast<int>(law);
      }
    }
  }
}

TEST(Impulses, rod_caught_by_a_ledge_keeps_three_quarters_of_its_speed) {
  // uniform rod of length 1 falling flat with speed 2, one end caught, e = 0, no friction
  PlaneScene scene;
  const int rod = scene.add_body(0.0, 0.0, 1.0, 1.0 / 12.0);
  scene.bodies[rod].velocity = {0.0, -2.0, 0.0};
  scene.add_contact(rod, -1, 0.5, 0.0, 0.0, 1.0, -1.0);
  scene.problem.rows[0].b = scene.along(scene.problem.rows[0], true);
  const Impulses impulses = solve_impulses(scene.problem, {}, {});
  ASSERT_EQ(impulses.status, ForceStatus::solved);
  EXPECT_NEAR(-2.0 + impulses.p[0], -2.0 * 0.75, 1e-12);
  EXPECT_NEAR(0.5 * impulses.p[0] * 12.0, 1.5 * 2.0, 1e-12);
}

TEST(Impulses, ball_bounces_with_its_restitution_and_its_spin_is_braked) {
  PlaneScene scene;
  const int ball = scene.add_body(0.0, 1.0, 2.0, 1.0);
  scene.bodies[ball].velocity = {0.0, -3.0, 4.0};
  scene.add_contact(ball, -1, 0.0, 0.0, 0.0, 1.0, 0.1);
  for (ForceRow& row : scene.problem.rows) row.b = scene.along(row, true);
  const std::vector<double> e(2, 0.5);
  const Impulses impulses = solve_impulses(scene.problem, e, {});
  EXPECT_NEAR(impulses.p[0], 2.0 * 3.0 * 1.5, 1e-9);
  EXPECT_NEAR(std::abs(impulses.p[1]), 0.1 * impulses.p[0], 1e-9);
  EXPECT_LT(impulses.energy_change, 0.0);
}

TEST(Painleve, inconsistent_rods_need_an_impulse_and_get_one) {
  ForceSolver solver;
  int inconsistent = 0;
  for (int seed = 0; seed < 500; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const double angle = random.between(0.1, 1.5), mu = random.between(0.1, 3.0);
    const int slip = random.unit() < 0.5 ? 1 : -1;
    const double spin = random.between(0.0, 5.0);
    const PlaneScene scene = painleve_rod(angle, mu, slip, spin);
    const Forces forces = solver.solve(scene.problem);
    // one contact: solvable iff it parts by itself, or its friction leaves its normal force a hold
    const double c = std::cos(angle), s = std::sin(angle);
    const double b = scene.problem.rows[0].b;
    const double hold = 1.0 + 3.0 * c * c - slip * mu * 3.0 * s * c;
    const bool solvable = b >= 0.0 || hold > 0.0;
    ASSERT_EQ(forces.status, solvable ? ForceStatus::solved : ForceStatus::impulse_needed)
        << seed << " hold " << hold << " b " << b;
    if (solvable) {
      EXPECT_LE(residual_of(scene.problem, forces.f), 1e-10);
      continue;
    }
    ++inconsistent;
    EXPECT_EQ(forces.failed_row, 0);
    const double speed = random.between(0.1, 10.0);
    const std::vector<double> velocity = {0.0, slip * speed};
    const Impulses impulses = solve_inconsistent(scene.problem, velocity);
    ASSERT_EQ(impulses.status, ForceStatus::solved) << impulses.why;
    // the end stops sliding and neither parts nor presses in
    EXPECT_GT(impulses.p[0], 0.0);
    EXPECT_LE(std::abs(impulses.p[1]), mu * impulses.p[0] * (1.0 + 1e-9));
    EXPECT_NEAR(impulses.velocity[0], 0.0, 1e-9 * speed);
    EXPECT_NEAR(impulses.velocity[1], 0.0, 1e-9 * speed);
    EXPECT_LT(impulses.energy_change, 0.0);
  }
  EXPECT_GT(inconsistent, 20);
}

}  // namespace
}  // namespace repose::mechanism
