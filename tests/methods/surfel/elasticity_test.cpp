#include "methods/surfel/elasticity.h"

#include <cmath>

#include <gtest/gtest.h>

#include "repose/base/random.h"

#include "methods/surfel/stable_step.h"
#include "methods/surfel/stress.h"
#include "soft_world.h"

namespace repose::surfel {
namespace {

constexpr double kModulus = 1e5;  // Pa, of gel

Arena cube_arena(const std::string& material = "gel") {
  const World world = world_of(scene_text(cube("cube", 0.1, 0.0125, material, Vec3::Zero())));
  auto arena = prepare_arena(world.problem, SurfelSettings{});
  EXPECT_TRUE(arena);
  return std::move(*arena);
}

Motion moved(const Arena& arena, const Mat3& by, const Vec3& shift) {
  Motion out;
  for (const Vec3& p : arena.rest) out.x.push_back(by * p + shift);
  out.v.assign(arena.rest.size(), Vec3::Zero());
  out.plastic.assign(arena.rest.size(), Mat3::Identity());
  return out;
}

Vec3 random_vector(Random& random, double size) {
  return size *
         Vec3(random.between(-1.0, 1.0), random.between(-1.0, 1.0), random.between(-1.0, 1.0));
}

Motion shaken(const Arena& arena, Random& random, double size) {
  Motion out = moved(arena, random_rotation(random).toRotationMatrix(), random_vector(random, 1.0));
  for (Vec3& p : out.x) p += random_vector(random, size);
  return out;
}

TEST(surfel_elasticity, a_rigid_motion_gives_no_stress) {
  const Arena arena = cube_arena();
  Random random(7);
  for (int k = 0; k < 5; ++k) {
    const Motion motion =
        moved(arena, random_rotation(random).toRotationMatrix(), random_vector(random, 1.0));
    for (const Stress law : {Stress::neo_hookean, Stress::corotated})
      for (int i = 0; i < arena.phyxels(); ++i) {
        const Matter& m = arena.matter[static_cast<std::size_t>(i)];
        const Mat3 stress = stress_of(law, m.mu, m.lambda, gradient_of(arena, motion.x, i));
        EXPECT_LT(stress.norm(), 1e-12 * kModulus);
      }
  }
}

TEST(surfel_elasticity, a_linear_deformation_is_reproduced_exactly) {
  const Arena arena = cube_arena();
  Random random(8);
  for (int k = 0; k < 5; ++k) {
    Mat3 by;
    for (int c = 0; c < 3; ++c) by.col(c) = random_vector(random, 2.0);
    const Motion motion = moved(arena, by, random_vector(random, 1.0));
    for (int i = 0; i < arena.phyxels(); ++i)
      EXPECT_LT((gradient_of(arena, motion.x, i) - by).norm(), 1e-12);
    std::vector<Vec3> forces;
    // what no gradient sees is nothing here either: the energy is that of the gradient alone
    const Matter& m = arena.matter[0];
    EXPECT_NEAR(elastic_energy(arena, Stress::neo_hookean, motion),
                1e-3 * energy_density(Stress::neo_hookean, m.mu, m.lambda, by),
                1e-9 * std::fabs(energy_density(Stress::neo_hookean, m.mu, m.lambda, by)));
  }
}

TEST(surfel_elasticity, forces_are_the_negative_gradient_of_the_energy) {
  const Arena arena = cube_arena();
  Random random(9);
  for (const Stress law : {Stress::neo_hookean, Stress::corotated, Stress::linear}) {
    Motion motion = shaken(arena, random, 0.002);
    for (Mat3& plastic : motion.plastic)
      for (int c = 0; c < 3; ++c) plastic.col(c) += random_vector(random, 0.1);
    std::vector<Vec3> forces, direction;
    elastic_forces(arena, law, motion, forces);
    double along = 0.0;
    for (std::size_t i = 0; i < forces.size(); ++i) {
      direction.push_back(random_vector(random, 1.0));
      along += forces[i].dot(direction.back());
    }
    const double h = 1e-7;
    const auto energy = [&](double t) {
      Motion there = motion;
      for (std::size_t i = 0; i < direction.size(); ++i) there.x[i] += t * direction[i];
      return elastic_energy(arena, law, there);
    };
    EXPECT_NEAR((energy(-h) - energy(h)) / (2.0 * h), along, 1e-6 * std::fabs(along));
  }
}

TEST(surfel_elasticity, forces_and_their_moments_sum_up_to_nothing) {
  const Arena arena = cube_arena();
  Random random(10);
  for (const Stress law : {Stress::neo_hookean, Stress::corotated}) {
    const Motion motion = shaken(arena, random, 0.004);
    std::vector<Vec3> forces;
    elastic_forces(arena, law, motion, forces);
    Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
    double size = 0.0;
    for (std::size_t i = 0; i < forces.size(); ++i) {
      force += forces[i];
      moment += motion.x[i].cross(forces[i]);
      size += forces[i].norm();
    }
    EXPECT_LT(force.norm(), 1e-12 * size);
    EXPECT_LT(moment.norm(), 1e-12 * size);
  }
}

TEST(surfel_elasticity, viscosity_keeps_momenta_and_only_takes_energy) {
  const Arena arena = cube_arena();
  Random random(11);
  for (const double h : {1e-5, 1e-2, 10.0}) {
    Motion motion = shaken(arena, random, 0.002);
    for (Vec3& v : motion.v) v = random_vector(random, 1.0);
    const auto momenta = [&] {
      Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
      for (std::size_t i = 0; i < motion.v.size(); ++i) {
        linear += arena.mass[i] * motion.v[i];
        angular += arena.mass[i] * motion.x[i].cross(motion.v[i]);
      }
      return std::pair(linear, angular);
    };
    const auto before = momenta();
    const double energy = kinetic_energy(arena, motion);
    damp(arena, h, motion);
    const auto after = momenta();
    EXPECT_LT((after.first - before.first).norm(), 1e-13);
    EXPECT_LT((after.second - before.second).norm(), 1e-13);
    EXPECT_LT(kinetic_energy(arena, motion), energy);
  }
}

TEST(surfel_elasticity, stress_is_finite_for_flat_and_inverted_gradients) {
  for (const Stress law : {Stress::neo_hookean, Stress::corotated, Stress::linear}) {
    for (const Mat3& f :
         {Mat3(Mat3::Zero()), Mat3(-Mat3::Identity()), Mat3(Vec3(1.0, 1.0, 0.0).asDiagonal()),
          Mat3(Vec3(1.0, 1.0, -1.0).asDiagonal())})
      EXPECT_TRUE(stress_of(law, 4e4, 6e4, f).allFinite());
  }
}

TEST(surfel_elasticity, a_crushed_body_swings_back_without_growing) {
  const Arena arena = cube_arena();
  Motion motion = moved(arena, Vec3(0.5, 1.2, 1.2).asDiagonal(), Vec3::Zero());
  std::vector<Vec3> forces;
  const double start = elastic_energy(arena, Stress::neo_hookean, motion);
  for (int k = 0; k < 400; ++k) {
    const Strained strained = elastic_forces(arena, Stress::neo_hookean, motion, forces);
    const double h = 0.4 * arena.stable_step / std::max(1.0, strained.most_square / 3.0);
    for (std::size_t i = 0; i < forces.size(); ++i)
      motion.v[i] += h * arena.inverse_mass[i] * forces[i];
    damp(arena, h, motion);
    for (std::size_t i = 0; i < forces.size(); ++i) motion.x[i] += h * motion.v[i];
    const double now =
        kinetic_energy(arena, motion) + elastic_energy(arena, Stress::neo_hookean, motion);
    ASSERT_LT(now, 1.3 * start);
  }
}

TEST(surfel_elasticity, clay_gives_way_without_a_change_of_volume) {
  const Arena arena = cube_arena("clay");
  Motion motion = moved(arena, Vec3(1.3, 0.9, 0.85).asDiagonal(), Vec3::Zero());
  const double before = elastic_energy(arena, Stress::neo_hookean, motion);
  for (int k = 0; k < 2000; ++k) flow(arena, 1e-3, motion);
  for (const Mat3& plastic : motion.plastic) EXPECT_NEAR(plastic.determinant(), 1.0, 1e-9);
  EXPECT_LT(elastic_energy(arena, Stress::neo_hookean, motion), 0.2 * before);
  const Mat3 elastic = gradient_of(arena, motion.x, 0) * motion.plastic[0];
  Mat3 strain = 0.5 * (elastic.transpose() * elastic - Mat3::Identity());
  strain -= strain.trace() / 3.0 * Mat3::Identity();
  EXPECT_NEAR(strain.norm(), 0.02, 1e-3);
}

}  // namespace
}  // namespace repose::surfel
