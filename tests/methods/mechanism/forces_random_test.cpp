// Force problems drawn at random: every answer verified from the problem alone.
#include <gtest/gtest.h>

#include "methods/mechanism/forces_scenes.h"

namespace repose::mechanism {
namespace {

constexpr int kProblems = 1000;

bool finite(const Forces& forces) {
  for (const double f : forces.f) {
    if (!std::isfinite(f)) return false;
  }
  return true;
}

/// The problem in other units of length and mass: forces scale by length * mass, torques by
/// length^2 * mass (time is kept).
ForceProblem in_other_units(const ForceProblem& problem, double length, double mass) {
  ForceProblem scaled = problem;
  for (InverseInertia& w : scaled.bodies) {
    w[0] /= mass;
    w[1] /= mass;
    w[2] /= mass * length * length;
  }
  for (ForceRow& row : scaled.rows) {
    const bool turns = row.part_a[0] == 0.0 && row.part_a[1] == 0.0;  // a torque row
    if (!turns) {
      row.part_a[2] *= length;
      row.part_b[2] *= length;
      row.b *= length;
    }
    const double unit = turns ? length * length * mass : length * mass;
    row.low *= unit;
    row.high *= unit;
  }
  return scaled;
}

TEST(RandomForces, static_friction_problems_are_solved) {
  ForceSolver solver;
  int unsolved = 0;
  for (int seed = 0; seed < kProblems; ++seed) {
    Random random(static_cast<std::uint64_t>(seed) * 7919 + 13);
    const PlaneScene scene = random_scene(random, 0.0);
    const Forces& forces = solver.solve(scene.problem);
    ASSERT_TRUE(finite(forces)) << seed;
    if (forces.status == ForceStatus::solved) {
      EXPECT_LE(residual_of(scene.problem, forces.f), 1e-10) << seed;
    } else {
      ++unsolved;
      EXPECT_FALSE(forces.why.empty());
    }
  }
  EXPECT_LE(unsolved, kProblems / 500);
}

TEST(RandomForces, sliding_friction_problems_are_solved_or_named) {
  ForceSolver solver;
  int named = 0;
  for (int seed = 0; seed < kProblems; ++seed) {
    Random random(static_cast<std::uint64_t>(seed) * 104729 + 7);
    const PlaneScene scene = random_scene(random, 0.3);
    const Forces& forces = solver.solve(scene.problem);
    ASSERT_TRUE(finite(forces)) << seed;
    if (forces.status == ForceStatus::solved) {
      EXPECT_LE(residual_of(scene.problem, forces.f), 1e-10) << seed;
      continue;
    }
    ++named;
    EXPECT_FALSE(forces.why.empty());
    EXPECT_GE(forces.failed_row, 0);
  }
  // random sliding contacts on random bodies are often inconsistent, mostly not
  EXPECT_LE(named, kProblems / 10);
}

TEST(RandomForces, a_warm_start_gives_the_cold_answer) {
  ForceSolver solver;
  for (int seed = 0; seed < 200; ++seed) {
    Random random(static_cast<std::uint64_t>(seed) * 31 + 5);
    const PlaneScene scene = random_scene(random, 0.0);
    const Forces cold = solver.solve(scene.problem);
    if (cold.status != ForceStatus::solved) continue;
    const Forces& warm = solver.solve(scene.problem, {cold.states, cold.f});
    ASSERT_EQ(warm.status, ForceStatus::solved) << seed;
    EXPECT_TRUE(warm.kept_partition) << seed;
    double size = 0.0;
    for (const double a : cold.a) size = std::max(size, std::abs(a));
    for (std::size_t i = 0; i < cold.a.size(); ++i) {
      EXPECT_NEAR(warm.a[i], cold.a[i], 1e-7 * (1.0 + size)) << seed;
    }
  }
}

TEST(RandomForces, units_of_length_and_mass_do_not_matter) {
  ForceSolver solver;
  for (int seed = 0; seed < 200; ++seed) {
    Random random(static_cast<std::uint64_t>(seed) * 17 + 3);
    const PlaneScene scene = random_scene(random, 0.2);
    const Forces plain = solver.solve(scene.problem);
    for (const double scale : {1e-3, 1e3}) {
      const Forces& other = solver.solve(in_other_units(scene.problem, scale, scale * scale));
      EXPECT_EQ(plain.status, other.status) << seed;
    }
  }
}

TEST(RandomForces, action_equals_reaction) {
  ForceSolver solver;
  Random random(99);
  for (int trial = 0; trial < 50; ++trial) {
    const PlaneScene scene = random_scene(random, 0.0);
    const Forces& forces = solver.solve(scene.problem);
    if (forces.status != ForceStatus::solved) continue;
    std::vector<std::array<double, 3>> total;
    body_forces_of(scene.problem, forces.f, total);
    // forces between bodies cancel in the sum: what is left acts between bodies and world
    double x = 0.0, y = 0.0, world_x = 0.0, world_y = 0.0, size = 1.0;
    for (const auto& force : total) {
      x += force[0];
      y += force[1];
    }
    for (std::size_t i = 0; i < scene.problem.rows.size(); ++i) {
      const ForceRow& row = scene.problem.rows[i];
      size = std::max(size, std::abs(forces.f[i]));
      if (row.body_b >= 0) continue;
      world_x += row.part_a[0] * forces.f[i];
      world_y += row.part_a[1] * forces.f[i];
    }
    EXPECT_NEAR(x, world_x, 1e-10 * size);
    EXPECT_NEAR(y, world_y, 1e-10 * size);
  }
}

TEST(RandomForces, large_groups_agree_with_small_ones) {
  // the same scenes through the sparse path
  ForceSolver dense, sparse({.dense_rows = 0});
  int compared = 0;
  for (int seed = 0; seed < 300; ++seed) {
    Random random(static_cast<std::uint64_t>(seed) * 97 + 1);
    PlaneScene scene = random_scene(random, 0.0);
    for (ForceRow& row : scene.problem.rows) row.mu = 0.0;  // then accelerations are unique
    const Forces one = dense.solve(scene.problem);
    const Forces& two = sparse.solve(scene.problem);
    if (one.status != ForceStatus::solved) continue;
    ASSERT_EQ(two.status, ForceStatus::solved) << seed << " " << two.why;
    ++compared;
    double size = 1.0;
    for (const double a : one.a) size = std::max(size, std::abs(a));
    for (std::size_t i = 0; i < one.a.size(); ++i) EXPECT_NEAR(one.a[i], two.a[i], 1e-6 * size);
  }
  EXPECT_GT(compared, 290);
}

}  // namespace
}  // namespace repose::mechanism
