#include "../../src/pile/potentials.h"

#include <cmath>

#include <gtest/gtest.h>

#include "pile_scene.h"

namespace repose::pile {
namespace {

Link link_of(Law law, double strength) {
  Link out;
  out.a = 0;
  out.b = 1;
  out.law = law;
  out.strength = strength;
  out.length = 1.3;
  out.range = 2.5;
  return out;
}

TEST(Potentials, the_force_is_the_slope_of_the_energy_for_every_law) {
  Random random(4);
  for (const Law law : {Law::constant, Law::inverse_square, Law::spring, Law::short_range}) {
    for (int round = 0; round < 20; ++round) {
      Potentials p;
      p.push = {random_direction(random), random_direction(random)};
      p.load = {1.0, 1.0};
      p.links = {link_of(law, random.between(-2.0, 2.0))};
      const std::vector<Vec3> at{random_direction(random), 3.0 * random_direction(random)};
      const auto force = forces_of(p, at);
      const double h = 1e-6;
      for (int body = 0; body < 2; ++body)
        for (int k = 0; k < 3; ++k) {
          std::vector<Vec3> low = at, high = at;
          low[body][k] -= h;
          high[body][k] += h;
          EXPECT_NEAR(force[body][k], (energy_of(p, low) - energy_of(p, high)) / (2.0 * h), 1e-6);
        }
    }
  }
}

TEST(Potentials, the_drop_is_the_difference_of_energies) {
  Random random(5);
  for (const Law law : {Law::constant, Law::inverse_square, Law::spring, Law::short_range}) {
    Potentials p;
    p.push = {random_direction(random), random_direction(random)};
    p.links = {link_of(law, 1.7)};
    const std::vector<Vec3> from{random_direction(random), 2.4 * random_direction(random)};
    const std::vector<Vec3> move{0.2 * random_direction(random), 0.3 * random_direction(random)};
    const std::vector<Vec3> to{from[0] + move[0], from[1] + move[1]};
    EXPECT_NEAR(energy_drop(p, from, move), energy_of(p, from) - energy_of(p, to), 1e-12);
  }
}

TEST(Potentials, what_lowers_the_careful_quadratic_lowers_the_energy) {
  Random random(6);
  for (const bool coupled : {true, false})
    for (const Law law : {Law::constant, Law::inverse_square, Law::spring, Law::short_range})
      for (int round = 0; round < 200; ++round) {
        Potentials p;
        p.push = {random_direction(random), random_direction(random)};
        p.links = {link_of(law, random.between(law == Law::constant ? -1.0 : 0.1, 2.0))};
        p.coupled = coupled;
        const std::vector<Vec3> from{random_direction(random), 3.0 * random_direction(random)};
        LinearProgram lp;
        lp.cost.assign(6, 0.0);
        const std::vector<int> first{0, 3};
        add_potentials(p, from, first, {}, 1.0, lp);
        std::vector<double> x(6), kx(6, 0.0);
        for (double& e : x) e = random.between(-1.0, 1.0);
        add_quadratic(lp, x, kx);
        double model = 0.0;
        for (int i = 0; i < 6; ++i) model += lp.cost[i] * x[i] + 0.5 * kx[i] * x[i];
        const std::vector<Vec3> move{Vec3(x[0], x[1], x[2]), Vec3(x[3], x[4], x[5])};
        EXPECT_LE(-energy_drop(p, from, move), model + 1e-12);
      }
}

TEST(Potentials, a_ball_hangs_from_a_spring_where_hooke_says) {
  PileScene s;
  const int ball = s.add_ball(1.0, Vec3(0.3, 0.0, -4.0));
  Force spring;
  spring.kind = "spring";
  spring.body_a = s.problem.bodies[ball].name;
  spring.values = {{"stiffness", 20.0}, {"length", 3.0}};
  s.problem.forces.push_back(spring);
  const StepReport report = s.run();
  ASSERT_EQ(report.status, RunStatus::rest) << report.why;
  EXPECT_NEAR(s.center(ball).z(), -(3.0 + 2.0 * 9.81 / 20.0), 1e-6);
  EXPECT_NEAR(s.center(ball).x(), 0.0, 1e-5);
}

TEST(Potentials, balls_that_attract_one_another_gather_and_energy_never_grows) {
  for (const std::string law : {"constant", "inverse_square", "spring", "short_range"}) {
    PileScene s;
    s.problem.gravity = Vec3::Zero();
    Random random(8);
    for (int i = 0; i < 12; ++i)
      s.add_ball(1.0, Vec3(3.0 * (i % 3), 3.0 * (i / 3 % 2), 3.0 * (i / 6)) +
                          0.3 * random_direction(random));
    Force f;
    f.kind = "attract";
    f.values = {{"law", law}, {"strength", 2.0}, {"range", 2.5}};
    s.problem.forces.push_back(f);
    double energy = 1e300;
    const StepReport report = s.run({}, 2000, [&](const State&, const State&, const Audit& audit) {
      EXPECT_LE(audit.energy, energy + 1e-12 * std::fabs(energy));
      energy = audit.energy;
      EXPECT_GE(audit.worst_gap, 0.0);
    });
    EXPECT_EQ(report.status, RunStatus::rest) << law << ": " << report.why;
    EXPECT_GE(s.state.contacts.size(), 20u) << law;
  }
}

}  // namespace
}  // namespace repose::pile
