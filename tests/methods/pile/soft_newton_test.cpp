#include "src/methods/pile/soft_newton.h"

#include <algorithm>

#include "pile_scene.h"
#include "src/methods/pile/program.h"
#include "src/methods/pile/soft_barrier.h"

namespace repose::pile {
namespace {

/// A barrier about balls at random, of several sizes and near a wall; one variable is held.
struct Sample {
  PileScene scene;
  Arena arena;
  Placement at;
  std::vector<Separation> separations;
  std::vector<double> keep, no_multipliers;

  explicit Sample(std::uint64_t seed) {
    Random random(seed);
    scene.add_wall(Vec3::Zero(), Vec3::UnitZ());
    for (int i = 0; i < 12; ++i)
      scene.add_ball(random.between(0.8, 1.2),
                     Vec3(2.5 * (i % 2), 2.5 * (i / 2 % 2), 1.25 + 2.5 * (i / 4)) +
                         0.04 * Vec3(random.unit(), random.unit(), random.unit()));
    arena = prepare_arena(scene.problem, scene.state).value();
    arena.movers[3].held[1] = true;
    at = placement_of(arena, scene.state);
    separations = find_separations(arena, at, std::vector<double>(arena.movers.size(), 1.0));
    keep = margins_of(arena, separations, 1e-9);
    no_multipliers.assign(separations.size(), 0.0);
  }
  SoftBarrier barrier(double product) const {
    return {arena, at, separations, keep, no_multipliers, product};
  }
  /// A step of every variable that is not held.
  std::vector<Vec3> step(Random& random, double size) const {
    std::vector<Vec3> out;
    for (const Mover& m : arena.movers) {
      out.emplace_back(random.between(-size, size), random.between(-size, size),
                       random.between(-size, size));
      for (int k = 0; k < 3; ++k)
        if (m.held[k]) out.back()[k] = 0.0;
    }
    return out;
  }
};

constexpr double kProduct = 0.06;  // the barrier reaches 0.6 radii far

TEST(SoftBarrier, its_forces_are_the_derivative_of_what_it_grows_by) {
  Random random(5);
  const Sample sample(2);
  const SoftBarrier barrier = sample.barrier(kProduct);
  ASSERT_GT(barrier.least_gap(), 0.0);
  const std::vector<double> z = barrier.multipliers();
  ASSERT_GT(std::count_if(z.begin(), z.end(), [](double e) { return e > 0.0; }), 12);
  for (int trial = 0; trial < 20; ++trial) {
    const std::vector<Vec3> step = sample.step(random, 1.0);
    double slope = 0.0;
    for (std::size_t i = 0; i < step.size(); ++i) slope -= barrier.forces()[i].dot(step[i]);
    const double h = 1e-5;
    const double found = (barrier.growth(step, h) - barrier.growth(step, -h)) / (2.0 * h);
    EXPECT_NEAR(found, slope, 1e-6 * (1.0 + std::fabs(slope)));
  }
}

TEST(SoftBarrier, its_matrix_is_the_derivative_of_its_forces) {
  Random random(6);
  const Sample sample(3);
  SoftBarrier barrier = sample.barrier(kProduct);
  solve::SparseCholesky cholesky;
  barrier.analyze(cholesky);
  const std::vector<double> damping(sample.arena.movers.size(), 0.0);
  barrier.fill(1.0, damping, cholesky);
  const int n = 3 * static_cast<int>(damping.size());
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) {
      const auto near = cholesky.graph().neighbors(i / 3);
      if (i / 3 != j / 3 && !std::binary_search(near.begin(), near.end(), j / 3)) continue;
      matrix(i, j) = matrix(j, i) = cholesky.values()[cholesky.place(i, j)];
    }
  for (int trial = 0; trial < 10; ++trial) {
    const std::vector<Vec3> step = sample.step(random, 1.0);
    const auto forces_at = [&](double h) {
      std::vector<Vec3> way = step;
      for (Vec3& w : way) w *= h;
      SoftBarrier moved = sample.barrier(kProduct);
      moved.move_to(way);
      return moved.forces();
    };
    const double h = 1e-6;
    const auto ahead = forces_at(h), behind = forces_at(-h);
    Eigen::VectorXd x(n);
    for (int v = 0; v < n; ++v) x[v] = step[v / 3][v % 3];
    const Eigen::VectorXd product = matrix * x;
    for (int v = 0; v < n; ++v) {
      const double found = (behind[v / 3][v % 3] - ahead[v / 3][v % 3]) / (2.0 * h);
      EXPECT_NEAR(found, product[v], 1e-4 * (1.0 + std::fabs(product[v])));
    }
  }
}

TEST(SoftBarrier, the_longest_share_of_a_step_leaves_a_tenth_of_the_narrowest_gap) {
  Random random(7);
  const Sample sample(4);
  for (int trial = 0; trial < 20; ++trial) {
    SoftBarrier barrier = sample.barrier(kProduct);
    const double before = barrier.least_gap();
    std::vector<Vec3> step = sample.step(random, 3.0);
    const double share = barrier.longest(step);
    ASSERT_GT(share, 0.0);
    ASSERT_LE(share, 1.0);
    for (Vec3& s : step) s *= share;
    barrier.move_to(step);
    EXPECT_GE(barrier.least_gap(), 0.0999 * before);
    EXPECT_TRUE(barrier.way_is_free());
  }
}

TEST(SoftNewton, leads_downhill_to_forces_that_balance_every_ball) {
  PileScene scene = PileScene::grid(4, 3);
  const Arena arena = prepare_arena(scene.problem, scene.state).value();
  Placement at = placement_of(arena, scene.state);
  SoftNewton fall = start_soft_newton(arena);
  solve::SparseCholesky cholesky;
  std::vector<Separation> separations;
  std::vector<double> keep;
  int steps = 0;
  for (; !fall.done; ++steps) {
    ASSERT_LT(steps, 400);
    separations = find_separations(arena, at, soft_newton_reach(arena, fall));
    keep = margins_of(arena, separations, 1e-9);
    const Motion motion = soft_newton(arena, at, separations, keep, cholesky, fall);
    EXPECT_TRUE(motion.gain > 0.0 || !motion.kept);
    if (motion.kept) at = moved(arena, at, motion, 1.0);
  }
  separations = find_separations(arena, at, std::vector<double>(arena.movers.size(), 0.1));
  std::vector<Vec3> left = arena.potentials.push;
  const auto forces =
      known_multipliers(fall.forces, separations, static_cast<int>(separations.size()));
  for (std::size_t k = 0; k < separations.size(); ++k) {
    const Separation& s = separations[k];
    EXPECT_GT(s.gap, 0.0);
    left[s.b] += forces[k] * arena.force_unit * s.normal;
    if (s.a >= 0) left[s.a] -= forces[k] * arena.force_unit * s.normal;
    // product of force and gap, as hard as promised
    EXPECT_LT(forces[k] * s.gap, 2e-6);
  }
  for (const Vec3& f : left) EXPECT_LT(f.norm() / arena.force_unit, 1e-2);
}

}  // namespace
}  // namespace repose::pile
